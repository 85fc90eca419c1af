import { checksumAddress } from '../../core/chain/evm.ts'
import { rotateKey } from '../../store/access/apiKeys.ts'
import {
  createMerchant,
  listMerchants,
  type Merchant,
  setRecipient,
  setRefundsAny,
} from '../../store/access/merchants.ts'
import { entriesOf } from '../../store/hub/registryEntries.ts'
import { CommandError, type CommandSpec } from '../terminal/command.ts'
import { keepDemoKey } from '../terminal/demoStack.ts'
import { requireConfig } from '../terminal/environment.ts'
import { noMerchant, requireMerchant, withLedger } from '../terminal/ledger.ts'
import { merchantArgument, merchantOption, required, requiredChoice } from '../terminal/options.ts'
import { columns, orDash, table } from '../terminal/output.ts'
import { entryLines } from './registryEntries.ts'

/** Merchants, their recipient and their keys. */

const merchantCreate: CommandSpec = {
  words: ['merchant', 'create'],
  about: 'Create a merchant; prints its id and both API keys, which are shown only once.',
  options: {
    name: { value: 'NAME', about: 'Its display name', required: true },
    recipient: { value: 'ADDRESS', about: 'Its payout address; can be set later' },
  },
  examples: [
    'merchant create --name "Coffee Shop" --recipient 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    'merchant create --name Demo --json',
  ],
  async run(input) {
    const config = requireConfig(input)
    return await withLedger(input, async (database) => {
      const created = await createMerchant(database, config, {
        name: required(input, 'name'),
        recipient: input.values.get('recipient') ?? null,
      })
      if (!created.ok) {
        const option = created.reason === 'invalid_name' ? '--name' : '--recipient'
        throw new CommandError([`${option} ${created.message}`])
      }
      const { merchant, secretKey, publishableKey } = created
      const text = columns([
        ...merchantFacts(merchant),
        ['secret key', `${secretKey}  (shown only once; store it on your server now)`],
        ['publishable key', publishableKey],
      ])
      return { json: { ...merchantJson(merchant), secretKey, publishableKey }, text }
    })
  },
}

const merchantList: CommandSpec = {
  words: ['merchant', 'list'],
  about: 'List all merchants, the oldest first.',
  options: {},
  examples: ['merchant list', 'merchant list --json'],
  async run(input) {
    const merchants = await withLedger(input, listMerchants)
    const text = table(
      merchants,
      [
        { title: 'ID', cell: (merchant) => merchant.id },
        { title: 'NAME', cell: (merchant) => merchant.name },
        { title: 'RECIPIENT', cell: recipientText },
        { title: 'CREATED', cell: (merchant) => merchant.createdAt.toISOString() },
      ],
      'There is no merchant yet: bun run remit merchant create --name NAME',
    )
    return { json: merchants.map(merchantJson), text }
  },
}

const merchantShow: CommandSpec = {
  words: ['merchant', 'show'],
  about: 'Show one merchant, and its entries in the registries of hubs.',
  details: `Registry entries are shown as workers have read them: where each chain's hub pays the merchant, and changes that
are pending or were vetoed.`,
  argument: { name: 'ID', about: 'The merchant, as printed by `merchant list`' },
  options: {},
  examples: ['merchant show 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11'],
  async run(input) {
    const merchantId = merchantArgument(input)
    const [merchant, registry] = await withLedger(input, (database) =>
      Promise.all([requireMerchant(database, merchantId), entriesOf(database, merchantId)]),
    )
    const lines = [...merchantFacts(merchant), ...entryLines(merchant, registry, new Date())]
    return { json: { ...merchantJson(merchant), registry }, text: columns(lines) }
  },
}

const merchantSet: CommandSpec = {
  words: ['merchant', 'set'],
  about: 'Change the permissions of a merchant.',
  argument: { name: 'ID', about: 'The merchant, as printed by `merchant list`' },
  details: `By default a refund goes to the sender of the payment only, so that a stolen API key can't refund
payments to another address.`,
  options: {
    refunds: { value: 'sender|any', about: 'Who may receive its refunds', required: true },
  },
  examples: ['merchant set 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11 --refunds any'],
  async run(input) {
    const merchantId = merchantArgument(input)
    const refunds = requiredChoice(input, 'refunds', ['sender', 'any'])
    const merchant = await withLedger(input, (database) =>
      setRefundsAny(database, merchantId, refunds === 'any'),
    )
    if (!merchant) throw noMerchant(merchantId)
    return { json: merchantJson(merchant), text: columns(merchantFacts(merchant)) }
  },
}

const recipientSet: CommandSpec = {
  words: ['recipient', 'set'],
  about: "Set a merchant's payout address.",
  details: `Invoices without their own recipient are paid out to this address. Workers settle invoices that were held without
an address, or whose sweeps failed, within seconds. Pending x402 payouts follow once the registry of their chain's hub
contains the address.`,
  options: {
    merchant: { value: 'ID', about: 'The merchant', required: true },
    address: { value: 'ADDRESS', about: "The merchant's account", required: true },
  },
  examples: [
    'recipient set --merchant 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11 --address 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ],
  async run(input) {
    const config = requireConfig(input)
    const merchantId = merchantOption(input)
    return await withLedger(input, async (database) => {
      const change = await setRecipient(database, config, merchantId, required(input, 'address'))
      if (!change.ok) {
        const option = change.reason === 'invalid_recipient' ? '--address' : '--merchant:'
        throw new CommandError([`${option} ${change.message}`])
      }
      const { merchant, toSettle } = change
      const text = columns([
        ...merchantFacts(merchant),
        ['to settle now', `${toSettle.length} invoices`],
      ])
      return { json: { ...merchantJson(merchant), toSettle }, text }
    })
  },
}

const keysRotate: CommandSpec = {
  words: ['keys', 'rotate'],
  about:
    "Replace all of a merchant's API keys of a kind by one with full access; the old keys stop working immediately.",
  options: {
    merchant: { value: 'ID', about: 'The merchant', required: true },
    kind: { value: 'secret|publishable', about: 'Which of its keys', required: true },
  },
  examples: ['keys rotate --merchant 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11 --kind secret'],
  async run(input) {
    const { environment } = requireConfig(input)
    const merchantId = merchantOption(input)
    const kind = requiredChoice(input, 'kind', ['secret', 'publishable'])
    return await withLedger(input, async (database) => {
      const key = await rotateKey(database, environment, merchantId, kind)
      if (key === null) throw noMerchant(merchantId)
      keepDemoKey(input, merchantId, kind, key)
      const text = columns([
        ['merchant', merchantId],
        [`${kind} key`, key],
        ['', 'Store it now; it is shown only once. Previous keys are refused from now on.'],
      ])
      return { json: { merchantId, kind, key }, text }
    })
  },
}

export const MERCHANT_COMMANDS: readonly CommandSpec[] = [
  merchantCreate,
  merchantList,
  merchantShow,
  merchantSet,
  recipientSet,
  keysRotate,
]

function merchantFacts(merchant: Merchant): [string, string][] {
  return [
    ['id', merchant.id],
    ['name', merchant.name],
    ['recipient', recipientText(merchant)],
    ['registry version', String(merchant.configVersion)],
    ['refunds go to', merchant.refundsAny ? 'any address' : "the payment's sender"],
    ['created', merchant.createdAt.toISOString()],
  ]
}

function recipientText({ recipient }: Merchant): string {
  return orDash(recipient && checksumAddress(recipient))
}

function merchantJson(merchant: Merchant) {
  const { recipient } = merchant
  return { ...merchant, recipient: recipient && checksumAddress(recipient) }
}
