import { asMerchantId, isUuid, type MerchantId } from '../../core/base/ids.ts'
import { type CommandInput, misused } from './command.ts'

/** Reads options and arguments. @throws UsageError with the expected format. */

/** The value of a required option. */
export function required(input: CommandInput, name: string): string {
  return input.values.get(name) ?? missing(input, name)
}

/** An option with one of these words; undefined if it isn't given. */
export function choice<Word extends string>(
  input: CommandInput,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = input.values.get(name)
  const word = words.find((entry) => entry === text)
  if (text === undefined || word !== undefined) return word
  const list = words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`
  throw misused(input, `--${name} must be ${list}, not ${text}`)
}

/** The same for a required option. */
export function requiredChoice<Word extends string>(
  input: CommandInput,
  name: string,
  words: readonly Word[],
): Word {
  return choice(input, name, words) ?? missing(input, name)
}

function missing(input: CommandInput, name: string): never {
  throw misused(input, `--${name} is missing`)
}

/** The id in the argument. */
export function idArgument<Id>(input: CommandInput, asId: (text: string) => Id): Id {
  const text = input.argument ?? ''
  if (!isUuid(text)) throw misused(input, `ID must be a UUID, not ${text}`)
  return asId(text)
}

/** The merchant in the argument. */
export function merchantArgument(input: CommandInput): MerchantId {
  return merchantIdFrom(input, 'ID', input.argument ?? '')
}

/** The merchant of `--merchant`. */
export function merchantOption(input: CommandInput): MerchantId {
  return merchantIdFrom(input, '--merchant', required(input, 'merchant'))
}

function merchantIdFrom(input: CommandInput, name: string, text: string): MerchantId {
  if (!isUuid(text)) throw misused(input, `${name} must be a merchant's id (a UUID), not ${text}`)
  return asMerchantId(text)
}
