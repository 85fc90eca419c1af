import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { keccak256 } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { HUB_ABI } from '../../../chain/hub/abi.ts'
import { asMerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { type Address, checksumAddress, type Hex } from '../../../core/chain/evm.ts'
import { uuidToBytes16 } from '../../../core/chain/words.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { remit } from '../../support/cli/run.ts'
import { appointGuardian, calldata, send, sendData, wait } from '../../support/hub/governance.ts'
import { signMerchantConfig } from '../../support/hub/signatures.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { newHash } from '../../support/store/database.ts'

let chain: HubChain
let guardian: { readonly key: Hex; readonly address: Address }
let variables: Record<string, string>

const HOUR = 3_600

beforeAll(async () => {
  chain = await startHubChain({ mining: 'automine' })
  guardian = await appointGuardian(chain)
  await send(chain, chain.ownerKey, { functionName: 'setDelays', args: [HOUR, HOUR] })
  // A guardian's machine has no more than this.
  variables = { HUB_ADDRESS: chain.hub, RPC_URL_BASE_SEPOLIA: chain.node.url }
}, 120_000)
afterAll(() => chain?.node.stop())

function run(more: Record<string, string>, ...args: readonly string[]) {
  return remit({ ...variables, ...more }, 'hub', ...args, '--chain', 'base-sepolia', '--json')
}
const asOwner = (...args: readonly string[]) => run({ HUB_OWNER_KEY: chain.ownerKey }, ...args)
const asGuardian = (...args: readonly string[]) => run({ HUB_GUARDIAN_KEY: guardian.key }, ...args)
const withoutAccount = (...args: readonly string[]) => run({}, ...args)

const read = { abi: HUB_ABI } as const
const stops = () =>
  chain.client.readContract({ ...read, address: chain.hub, functionName: 'stops' })
const refundSigner = () =>
  chain.client.readContract({ ...read, address: chain.hub, functionName: 'refundSigner' })

describe('hub stop and resume', () => {
  test('print what has to be signed where no key is at hand, and that works', async () => {
    const printed = await withoutAccount('stop', 'sweeps,refunds')
    expect(printed).toMatchObject({ code: 0, err: '' })
    const data = calldata({ functionName: 'stop', args: [5] })
    const to = checksumAddress(chain.hub)
    const from = checksumAddress(guardian.address)
    expect(printed.json()).toMatchObject({
      chainId: 84_532,
      does: 'stop sweeps, refunds',
      sent: false,
      sign: { from, to, value: '0', data },
    })
    expect(await stops()).toBe(0)
    await sendData(chain, guardian.key, data)
    expect(await stops()).toBe(5)
  })

  test('are for the guardian, and for the owner alone', async () => {
    const stopped = await asGuardian('stop')
    expect(stopped.json()).toMatchObject({ sent: true, does: 'stop distributions, registry' })
    expect(await stops()).toBe(15)
    const again = await asGuardian('stop')
    expect(again.json()).toMatchObject({ sent: false, why: expect.stringContaining('already') })
    // The guardian's key is no help: the owner has to sign.
    const printed = await asGuardian('resume', 'sweeps')
    expect(printed.json()).toMatchObject({
      sent: false,
      sign: { from: checksumAddress(addressOf(chain.ownerKey)) },
    })
    expect(await stops()).toBe(15)
    expect((await asOwner('resume', 'sweeps')).json()).toMatchObject({ sent: true })
    expect(await stops()).toBe(14)
    expect((await asOwner('resume')).json()).toMatchObject({
      does: 'resume distributions, refunds, registry',
    })
    expect(await stops()).toBe(0)
    expect((await asOwner('resume')).json()).toMatchObject({ sent: false })
  })

  test('take the parts that there are', async () => {
    const wrong = await asGuardian('stop', 'sweeps,money')
    expect(wrong.code).toBe(2)
    expect(wrong.err).toContain('PARTS must be some of sweeps,distributions,refunds,registry')
  })
})

describe('hub propose and execute', () => {
  test('carry a call from its proposal to its time, and say when that is', async () => {
    const signer = addressOf(generatePrivateKey())
    const proposed = await asOwner('propose', 'set-refund-signer', checksumAddress(signer))
    const id = keccak256(calldata({ functionName: 'setRefundSigner', args: [signer] }))
    expect(proposed.json()).toMatchObject({ sent: true, proposal: id })
    const early = await asOwner('execute', id)
    expect(early.code).toBe(1)
    expect(early.err).toMatch(/can't be executed before \d{4}-\d\d-\d\dT/)
    const again = await asOwner('propose', 'set-refund-signer', checksumAddress(signer))
    expect(again.code).toBe(1)
    expect(again.err).toContain('restart its delay with --again')
    await wait(chain, HOUR + 1)
    const printed = await withoutAccount('execute', id)
    expect(printed.json()).toMatchObject({
      does: `set-refund-signer ${checksumAddress(signer)}`,
      sent: false,
    })
    expect((await asOwner('execute', id)).json()).toMatchObject({ sent: true })
    expect((await refundSigner()).toLowerCase()).toBe(signer)
    const over = await asOwner('execute', id)
    expect(over.err).toContain('it was vetoed, executed')
  }, 240_000)

  test('say that a proposal has expired', async () => {
    const collector = addressOf(generatePrivateKey())
    await asOwner('propose', 'set-fee-collector', checksumAddress(collector))
    const id = keccak256(calldata({ functionName: 'setFeeCollector', args: [collector] }))
    await wait(chain, HOUR + 14 * 86_400 + 60)
    const late = await asOwner('execute', id)
    expect(late.code).toBe(1)
    expect(late.err).toContain('propose it again')
    expect((await asOwner('propose', 'set-fee-collector', collector)).json()).toMatchObject({
      sent: true,
    })
  }, 240_000)

  test('send at once what takes power away', async () => {
    const ran = await asOwner('propose', 'set-refund-signer', 'nobody')
    expect(ran.json()).toMatchObject({
      sent: true,
      does: 'set-refund-signer nobody',
      'at once': expect.stringContaining('removes power'),
    })
    expect(BigInt(await refundSigner())).toBe(0n)
  })

  test('have a lower limit at once, and a higher one proposed', async () => {
    const lower = await asOwner('propose', 'set-token', 'USDC', '--limit', '5000')
    expect(lower.json()).toMatchObject({ does: 'set-token USDC --limit 5000' })
    const higher = await asOwner('propose', 'set-token', 'USDC', '--limit', '5001')
    expect(higher.json()).toMatchObject({ does: 'propose "set-token USDC --limit 5001"' })
  })

  test('refuse what the hub would refuse', async () => {
    const long = await asOwner('propose', 'set-delays', '--owner', '31d', '--config', '1h')
    expect(long.code).toBe(1)
    expect(long.err).toContain('a delay must be at most 720h')
    const refused = await asOwner('accept')
    expect(refused.err).toContain('the ownership is not offered')
  })
})

describe('hub veto', () => {
  test('ends a proposal, but not that of another guardian', async () => {
    const account = checksumAddress(addressOf(generatePrivateKey()))
    const ids = await Promise.all(
      (['transfer-ownership', 'set-guardian'] as const).map(async (name) => {
        const { proposal } = (await asOwnerAlone(name, account)).json()
        return String(proposal)
      }),
    )
    const [offer = '', replacement = ''] = ids
    expect((await asGuardian('veto', offer)).json()).toMatchObject({ sent: true })
    expect((await asGuardian('veto', offer)).err).toContain('there is no proposal')
    const refused = await asGuardian('veto', replacement)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain("the guardian can't veto its own replacement")
    expect((await asOwner('veto', replacement)).json()).toMatchObject({ sent: true })
  }, 240_000)

  test('ends all proposals by one call, but not that of another guardian', async () => {
    const account = checksumAddress(addressOf(generatePrivateKey()))
    const ids: string[] = []
    for (const name of ['set-refund-signer', 'transfer-ownership', 'set-guardian'] as const) {
      ids.push(String((await asOwnerAlone(name, account)).json().proposal))
    }
    const listed = async () => {
      const { out } = await status()
      return ids.filter((id) => out.includes(id))
    }
    expect(await listed()).toEqual(ids)
    const printed = await withoutAccount('veto', '--all')
    expect(printed.json()).toMatchObject({
      sent: false,
      does: 'veto all proposals except replacements of the guardian',
      sign: { data: calldata({ functionName: 'vetoProposals', args: [] }) },
    })
    expect((await asGuardian('veto', '--all')).json()).toMatchObject({ sent: true })
    const [, , replacement = ''] = ids
    expect(await listed()).toEqual([replacement])
    expect((await asGuardian('veto', ids[0] ?? '')).err).toContain('there is no proposal')
    await asOwner('veto', replacement)
  }, 240_000)

  test('is told what to end', async () => {
    for (const words of [[], ['--all', newHash()]]) {
      const wrong = await asGuardian('veto', ...words)
      expect(wrong.code).toBe(2)
      expect(wrong.err).toContain('an ID or --all is required')
    }
    expect((await asGuardian('veto', '0x12')).err).toContain("a merchant's id, not 0x12")
  })

  test("ends the change of a merchant's treasury", async () => {
    const id = asMerchantId(Bun.randomUUIDv7())
    const configure = async (version: number) => {
      const treasury = addressOf(generatePrivateKey())
      const terms = { treasury, feeBps: 0, version }
      const config = { ...terms, merchantId: id, feeCap: baseUnits(0n) }
      const signature = await signMerchantConfig(chain.roles.configSigner, chain.hub, config)
      const struct = { ...terms, merchantId: uuidToBytes16(id), feeCap: 0 }
      const args = [[struct], [signature]] as const
      await send(chain, chain.ownerKey, { functionName: 'configure', args })
    }
    await configure(1)
    expect((await asGuardian('veto', id)).err).toContain(`no change of merchant ${id} is pending`)
    await configure(2)
    expect((await asGuardian('veto', id)).json()).toMatchObject({ sent: true })
  })
})

function status(...args: readonly string[]) {
  const roles = {
    HUB_OWNER: addressOf(chain.ownerKey),
    HUB_GUARDIAN: guardian.address,
    FEE_COLLECTOR: chain.collector,
    CONFIG_SIGNER: addressOf(chain.roles.configSigner),
    REFUND_SIGNER: addressOf(chain.roles.refundSigner),
  }
  return remit({ ...variables, ...roles }, 'hub', 'status', '--chain', 'base-sepolia', ...args)
}

/** Proposals of one key go out one after the other, or they would take the same nonce. */
let last: Promise<unknown> = Promise.resolve()
function asOwnerAlone(name: string, account: string) {
  const next = last.then(() => asOwner('propose', name, account))
  last = next
  return next
}

test('hub approve lets one order pass, once', async () => {
  const digest = newHash()
  expect((await asOwner('approve', digest)).json()).toMatchObject({ sent: true })
  expect((await asOwner('approve', digest)).json()).toMatchObject({
    sent: false,
    why: `${digest}: already approved`,
  })
})

test('a hub that is not there is named', async () => {
  const ran = await run({ HUB_ADDRESS: guardian.address }, 'stop')
  expect(ran.code).toBe(1)
  expect(ran.err).toContain('there is no hub of this version at')
  const unset = await remit(
    { RPC_URL_BASE_SEPOLIA: chain.node.url, REMIT_ENV: 'sandbox' },
    ...['hub', 'stop', '--chain', 'base-sepolia'],
  )
  expect(unset.err).toContain('HUB_ADDRESS is missing')
})

describe('hub status', () => {
  test('shows stops, delays, limits with what is left, and proposals with their time', async () => {
    const account = addressOf(generatePrivateKey())
    await asOwner('propose', 'set-fee-collector', checksumAddress(account), '--again')
    const { timestamp } = await chain.client.getBlock()
    await asGuardian('stop', 'refunds')
    const { governance } = (await status('--json')).json()
    const id = keccak256(calldata({ functionName: 'setFeeCollector', args: [account] }))
    expect(governance).toMatchObject({
      stopped: ['refunds'],
      ownerDelay: String(HOUR),
      configDelay: String(HOUR),
    })
    const { out } = await status()
    const ripe = new Date(Number(timestamp + BigInt(HOUR)) * 1_000).toISOString()
    expect(out).toMatch(/stopped +refunds/)
    expect(out).toMatch(/delays +1h owner, 1h treasuries/)
    expect(out).toMatch(/USDC +listed, 5000 of 5000 may be refunded now/)
    expect(out).toContain(
      `set-fee-collector ${checksumAddress(account)}: can be executed from ${ripe} (${id})`,
    )
    await asOwner('resume')
    await asOwner('veto', id)
    expect((await status()).out).not.toContain(id)
  }, 240_000)

  test("shows a change of a merchant's treasury, and its veto", async () => {
    expect((await status()).out).toMatch(/treasury +merchant [0-9a-f-]{36} to 0x.*: vetoed/)
  })
})
