import type { Mutant } from './guards.ts'

/** Mutants without an observable change, and why. */
interface Equivalent extends Pick<Mutant, 'file' | 'kind' | 'find'> {
  readonly why: string
}

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'src/Deposits.sol',
    kind: 'guard',
    find: 'fee == 0',
    why: 'a fee of nothing is always left, and what is left is written as it was',
  },
  {
    file: 'src/Forwarder.sol',
    kind: 'boundary',
    find: '<',
    why: 'one unit of gas, in a margin that is rounded up',
  },
  {
    file: 'src/Forwarders.sol',
    kind: 'guard',
    find: 'distributions.length == 0',
    why: 'a loop over nothing; it saves a read of the operators',
  },
  {
    file: 'src/Forwarders.sol',
    kind: 'guard',
    find: 'held == 0',
    why: 'nothing is less than any balance, and beside no balance nothing is written again',
  },
  {
    file: 'src/Forwarders.sol',
    kind: 'operand',
    find: 'announced == 0',
    why: 'zero plus the longest delay and a day is a time long past, so the other condition holds',
  },
  {
    file: 'src/libraries/Isolation.sol',
    kind: 'boundary',
    find: '>',
    why: 'with exactly as much gas as the cap the margin is missing, so the other condition holds',
  },
  {
    file: 'src/libraries/Isolation.sol',
    kind: 'boundary',
    find: '<',
    why: 'one unit of gas, in a margin that is rounded up',
  },
]

export function reasonWhyEquivalent({ file, kind, find }: Mutant): string | undefined {
  return EQUIVALENTS.find((one) => one.file === file && one.kind === kind && one.find === find)?.why
}
