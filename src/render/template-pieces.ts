import { Tokenizer, type TopLevelToken, TypeGuards } from 'liquidjs'
import type { Piece } from './value-place.ts'

/** Throws when it cannot be read. */
export function tokensOf(source: string): TopLevelToken[] {
  return new Tokenizer(source).readTopLevelTokens()
}

export function piecesOf(source: string): Piece[] {
  return tokensOf(source).map((token) => {
    if (TypeGuards.isHTMLToken(token)) return token.getContent()
    return { tag: TypeGuards.isTagToken(token) ? token.name : 'output' }
  })
}
