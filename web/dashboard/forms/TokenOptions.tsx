import type { Token } from '../session/boot.ts'

/** The choices of a select of tokens, by their symbols. */
export function TokenOptions({ tokens }: { readonly tokens: readonly Token[] }) {
  return tokens.map(({ symbol }) => (
    <option key={symbol} value={symbol}>
      {symbol}
    </option>
  ))
}
