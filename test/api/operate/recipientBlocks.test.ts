import { afterAll, beforeAll, expect, test } from 'bun:test'
import { generatePrivateKey } from 'viem/accounts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { expectError } from '../../support/api/answers.ts'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'

/** Merchants share the development chains: whom one of them may have a token block. */

let chain: HubChain
let rig: ApiRig
beforeAll(async () => {
  chain = await startHubChain({ mining: 'automine' })
  rig = await openRig({
    variables: { RPC_URL_BASE_SEPOLIA: chain.node.url, FEE_COLLECTOR: chain.collector },
  })
}, 120_000)
afterAll(() => rig.close())

const newRecipient = () => addressOf(generatePrivateKey())

async function play(recipient: string | null, scenario = 'failed-settlement'): Promise<Answer> {
  const terms = { chains: ['base-sepolia'], amountExpected: '2' }
  const { id } = await rig.create(recipient === null ? terms : { ...terms, recipient })
  const body = { invoiceId: id, scenario }
  return rig.call('POST', '/v1/sandbox/scenarios', { body })
}

function expectRefused(answer: Answer, why: string): void {
  expectError(answer, 409, 'scenario not possible')
  expect(answer.json.details?.[0]?.message).toContain(why)
}

test('a recipient that no one has used may be blocked, and let go again', async () => {
  const recipient = newRecipient()
  expect((await play(recipient)).status).toBe(201)
  expect((await play(recipient, 'unblock-recipient')).status).toBe(201)
})

test("another merchant's recipient may be neither, wherever it is named", async () => {
  const [treasury, ofInvoice] = [newRecipient(), newRecipient()]
  const { secretKey: key } = await rig.newMerchant(treasury)
  const body = { tokenSymbol: 'USDC', amountExpected: '1', recipient: ofInvoice }
  expect((await rig.call('POST', '/v1/invoices', { key, body })).status).toBe(201)
  for (const address of [treasury, ofInvoice]) {
    expectRefused(await play(address), 'is shared with others')
    expectRefused(await play(address, 'unblock-recipient'), 'is shared with others')
  }
})

test('neither may who takes the fees, nor the payer of all scenarios', async () => {
  expectRefused(await play(chain.collector), 'is shared with others')
  expectRefused(await play(`0x${'c0ffee'.padStart(40, '0')}`), 'is the payer')
})

test('no one may be blocked who has received or sent anything', async () => {
  const holder = newRecipient()
  await chain.mint([{ to: holder, amount: 1n }])
  expectRefused(await play(holder), 'was used before')
  expectRefused(await play(addressOf(chain.ownerKey)), 'was used before')
})

test("the merchant's own recipient may be blocked, regardless of what it holds", async () => {
  const own = newRecipient()
  await rig.database`update merchant set recipient = ${own} where id = ${rig.merchant.merchant.id}`
  await chain.mint([{ to: own, amount: 1n }])
  expect((await play(null)).status).toBe(201)
})
