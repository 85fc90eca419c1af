/** The definition of a command. */
import type { Variables } from '../../core/config/reader.ts'

export interface OptionSpec {
  /** The placeholder of the value in the help, e.g. "ADDRESS"; absent for a switch. */
  readonly value?: string
  readonly about: string
  readonly required?: boolean
}

export interface CommandSpec {
  /** The words of the command, e.g. ["merchant", "create"]. */
  readonly words: readonly string[]
  /** One line, beginning with a verb. */
  readonly about: string
  /** Further paragraphs of its help. */
  readonly details?: string
  /** A value without a name, e.g. the id of `show ID`. All commands have at most one. */
  readonly argument?: {
    readonly name: string
    readonly about: string
    readonly isOptional?: boolean
  }
  readonly options: Readonly<Record<string, OptionSpec>>
  /** A command: `words` follow `bun run remit`. */
  readonly examples: readonly string[]
  run(input: CommandInput): Promise<CommandOutcome>
}

export interface CommandInput {
  /** The words by which the command was called. */
  readonly words: readonly string[]
  readonly argument: string | undefined
  readonly values: ReadonlyMap<string, string>
  readonly switches: ReadonlySet<string>
  /** The environment, or the running development stack's. */
  readonly variables: Variables
  /** The source of the variables, for messages. */
  readonly source: string
  /** Reports progress on stderr. */
  readonly say: (sentence: string) => void
}

/** The result of a command: one JSON document for machines, and a text. */
export interface CommandOutcome {
  readonly json: unknown
  readonly text: string
  /** 1 if the command succeeded but found problems, e.g. differences. */
  readonly exitCode?: 0 | 1
}

export const EXIT = { ok: 0, failed: 1, usage: 2, terminated: 143 } as const

/** The command failed. Each problem is a message with what to change. Exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'

  constructor(
    readonly problems: readonly string[],
    options: { readonly cause?: unknown } = {},
  ) {
    super(problems.join('\n'), options)
  }
}

/** Wrong usage of a command. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'

  constructor(
    message: string,
    /** The words so far, to refer to the right help. */
    readonly words: readonly string[],
  ) {
    super(message)
  }
}

/** The error for an invalid value. */
export function misused(input: CommandInput, message: string): UsageError {
  return new UsageError(message, input.words)
}
