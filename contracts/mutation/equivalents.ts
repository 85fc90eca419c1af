import type { Mutant } from './guards.ts'

/** Mutants that change nothing anybody could see, and why. */
interface Equivalent extends Pick<Mutant, 'file' | 'kind' | 'find'> {
  readonly why: string
}

export const EQUIVALENTS: readonly Equivalent[] = []

export function reasonWhyEquivalent({ file, kind, find }: Mutant): string | undefined {
  return EQUIVALENTS.find((one) => one.file === file && one.kind === kind && one.find === find)?.why
}
