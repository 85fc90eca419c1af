/** A hash or an address as people compare it: how it begins and ends. */
export function shortHash(value: string): string {
  return `${value.slice(0, 6)}…${value.slice(-4)}`
}
