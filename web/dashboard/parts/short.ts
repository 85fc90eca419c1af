/** A hash or an address shortened to its beginning and end. */
export function shortHash(value: string): string {
  return `${value.slice(0, 6)}…${value.slice(-4)}`
}
