/** The lower of two integers, of any unit: base units, wei, blocks. */
export function min<T extends bigint>(a: T, b: T): T {
  return a < b ? a : b
}

export function max<T extends bigint>(a: T, b: T): T {
  return a > b ? a : b
}
