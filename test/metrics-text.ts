import { expect } from 'vitest'

export type Sample = { name: string; labels: Record<string, string>; value: number }

/** Parses the text of /metrics as Prometheus does. */
export function readSamples(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', inner = '', value = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      expect(name, line).not.toBe('')
      const pairs = [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text])
      return { name, labels: Object.fromEntries(pairs), value: Number(value) }
    })
}

/** The sum of all samples with these labels. */
export function sumOf(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number {
  const has = (sample: Sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value)
  return samples.filter((sample) => sample.name === name && has(sample)).reduce((sum, { value }) => sum + value, 0)
}

/** The sums by the values of these labels, without zeros. */
export function tableOf(samples: readonly Sample[], name: string, ...labels: string[]): Record<string, number> {
  const table: Record<string, number> = {}
  for (const sample of samples) {
    if (sample.name !== name || sample.value === 0) continue
    const key = labels.map((label) => sample.labels[label]).join(' ')
    table[key] = (table[key] ?? 0) + sample.value
  }
  return table
}
