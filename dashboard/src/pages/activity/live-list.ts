import { useEffect, useRef, useState } from 'react'
import { useLive } from '../../lib/live.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import type { PagedList } from '../../lib/pages.ts'

type LiveList = {
  connected: boolean
  /** Something changed that is not shown yet. */
  hasNews: boolean
  showNews(): void
}

/** Rows may have moved down to the next page between two requests: each is shown once. */
export function uniqueRows<Row extends { _id: string }>(list: PagedList<Row>): PagedList<Row> {
  return { ...list, rows: [...new Map(list.rows.map((row) => [row._id, row])).values()] }
}

/**
 * A list that follows what happens. Only while its beginning is in sight: to somebody who reads further down, rows that
 * move are a nuisance, and asking all pages again costs more than it tells. They are told that there is news.
 */
export function useLiveList(list: PagedList<unknown>, { paused = false, filter = '' } = {}): LiveList {
  const [hasNews, setHasNews] = useState(false)
  const current = useRef(list)
  current.current = list
  const [ask] = useState(() => oneAtATime(() => current.current.refresh()))
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another filter everything was asked anew
  useEffect(() => setHasNews(false), [filter])

  const refresh = async () => {
    if ((await ask()) === 'done') setHasNews(false)
  }
  const { connected } = useLive(() => {
    const atTop = window.scrollY < 200 && current.current.rows.length <= 50
    if (paused || !atTop) setHasNews(true)
    else void refresh()
  })
  const showNews = () => {
    window.scrollTo({ top: 0 })
    void refresh()
  }
  return { connected, hasNews, showNews }
}
