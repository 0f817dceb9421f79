import { type Context, Expression, evalTokenValue, Tokenizer, TypeGuards, type ValueToken } from 'liquidjs'

/** Bounds liquidjs's tokenizer for the whole thread, as soon as this is loaded. */

const maxTokens = 5000 // liquidjs shifts them off an array one by one: 32,000 in 64 KB cost 2.5 s
const maxComposedTokens = 2 * maxTokens // a body inside a layout: tens of milliseconds
const maxRange = 100_000

export class TooLarge extends Error {}

let mostTokens = maxTokens

/** A template that is composed of several may have more. */
export function withRoom<T>(parse: () => T): T {
  mostTokens = maxComposedTokens
  try {
    return parse()
  } finally {
    mostTokens = maxTokens
  }
}

/** Because every range and token list passes it, also those that filters read while rendering. */
function boundTokenizer(): void {
  const { readGroupOrRange, readTopLevelTokens, readLiquidTagTokens } = Tokenizer.prototype
  Tokenizer.prototype.readGroupOrRange = function () {
    const token = readGroupOrRange.call(this)
    if (TypeGuards.isRangeToken(token)) token.rhs = rangeEnd(token.lhs, token.rhs)
    return token
  }
  Tokenizer.prototype.readTopLevelTokens = function (options) {
    return refuseMany(readTopLevelTokens.call(this, options))
  }
  Tokenizer.prototype.readLiquidTagTokens = function (options) {
    return refuseMany(readLiquidTagTokens.call(this, options))
  }
}

function refuseMany<T>(tokens: T[]): T[] {
  if (tokens.length > mostTokens)
    throw new Error(`the template has more than ${mostTokens} tags and texts between them`)
  return tokens
}

/** liquidjs walks a range by adding 1: from 2^53 on that never ends, and aborts the process. */
function rangeEnd(low: ValueToken, high: ValueToken): ValueToken {
  const checked = new Tokenizer('0').readFilteredValue()
  checked.initial = Object.assign(new Expression([high]), {
    *evaluate(context: Context): Generator<unknown, unknown> {
      const first = Number(yield evalTokenValue(low, context))
      const last = Number(yield evalTokenValue(high, context))
      if (Math.abs(last) > 2 ** 50 || last - first > maxRange) throw new TooLarge('a range is too long')
      return last
    },
  })
  return checked
}

boundTokenizer()
