/** The lower of two integers, whatever they count: base units, wei, blocks. */
export function min<T extends bigint>(a: T, b: T): T {
  return a < b ? a : b
}

export function max<T extends bigint>(a: T, b: T): T {
  return a > b ? a : b
}
