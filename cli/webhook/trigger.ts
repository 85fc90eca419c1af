import type { MerchantId } from '../../core/base/ids.ts'
import { EVENT_TYPE_NAMES, isEventType } from '../../core/events/eventTypes.ts'
import { sampleEvent } from '../../core/webhook/samples.ts'
import { insertEvent } from '../../store/events/outbox.ts'
import { CommandError, type CommandInput, type CommandSpec, misused } from '../terminal/command.ts'
import { demoStack } from '../terminal/demoStack.ts'
import { requireConfig } from '../terminal/environment.ts'
import { requireMerchant, withLedger } from '../terminal/ledger.ts'
import { merchantOption } from '../terminal/options.ts'
import { columns } from '../terminal/output.ts'
import { closest } from '../terminal/suggest.ts'

/** Test events for merchants' endpoints. */
export const triggerCommand: CommandSpec = {
  words: ['trigger'],
  about: 'Create a test event of any type, which is delivered like a real one (sandbox only).',
  details: `The event has sample data with "test": true. It is sent to every webhook endpoint of the merchant with
its type, and to \`listen\`. Types: ${EVENT_TYPE_NAMES.join(', ')}.`,
  argument: { name: 'TYPE', about: 'The type of the event, e.g. invoice.paid' },
  options: {
    merchant: { value: 'ID', about: 'The merchant (default: the demo merchant)' },
  },
  examples: [
    'trigger invoice.paid',
    'trigger x402.payment.settled --merchant 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11',
  ],
  async run(input) {
    const type = input.argument ?? ''
    if (!isEventType(type)) throw misused(input, unknownType(type))
    const { environment, hub } = requireConfig(input)
    if (environment === 'live') {
      throw new CommandError(['test events are only available in the sandbox'])
    }
    const merchantId = merchantOf(input)
    return await withLedger(input, async (database) => {
      await requireMerchant(database, merchantId)
      const objectId = Bun.randomUUIDv7()
      const data = sampleEvent(type, environment, { objectId, merchantId, hub, now: new Date() })
      const event = { merchantId, type, objectId, version: 1, data }
      const eventId = await insertEvent(database, event)
      const text = columns([
        ['event', eventId],
        ['type', type],
        ['merchant', merchantId],
      ])
      return { json: { eventId, type, merchantId, data }, text }
    })
  },
}

function merchantOf(input: CommandInput): MerchantId {
  if (input.values.has('merchant')) return merchantOption(input)
  const { merchantId } = demoStack(input)
  if (merchantId !== undefined) return merchantId
  throw new CommandError(['there is no demo merchant here: set --merchant ID'])
}

function unknownType(type: string): string {
  const guess = closest(type, EVENT_TYPE_NAMES)
  const hint = guess === undefined ? EVENT_TYPE_NAMES.join(', ') : `did you mean ${guess}?`
  return `there is no event of type "${type}": ${hint}`
}
