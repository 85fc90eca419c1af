import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openRequestLog } from '../../../api/http/requestLog.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { newSession } from '../../support/api/checkoutCalls.ts'
import { randomHash } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { body, PAYER, post, registered } from '../../support/api/x402Calls.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { randomHex } from '../../support/x402/authorizations.ts'
import { v2Body } from '../../support/x402/requests.ts'

/** How many lines of the log a caller can cause by requests that fail; they follow the answers. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig({ variables: { LOG_FAILURES: '5' } })
})
afterAll(() => rig.close())

/** Lines about requests, which follow their answers, once there are so many. */
async function linesOf(count: number) {
  const lines = () => rig.log.filter(({ status }) => status !== undefined)
  await eventually(
    async () => lines().length,
    (written) => written >= count,
  )
  // For whatever comes beyond them.
  await Bun.sleep(50)
  return lines()
}

describe('lines about requests that failed', () => {
  const paths = ['/nowhere', '/v1/invoices', '/v1/invoices/7']

  test('are so many for each client address, and those about others stay', async () => {
    rig.log.splice(0)
    rig.setPeer('198.51.100.1')
    for (let i = 0; i < 30; i += 1) {
      await rig.call('GET', paths[i % 3] ?? '', {
        key: i % 3 === 2 ? rig.merchant.secretKey : null,
      })
    }
    expect(await linesOf(5)).toHaveLength(5)
    for (let i = 0; i < 3; i += 1) {
      expect((await rig.call('GET', '/v1/utils/chains')).status).toBe(200)
    }
    rig.setPeer('198.51.100.2')
    await rig.call('GET', '/nowhere')
    const statuses = (await linesOf(9)).map(({ status }) => status)
    expect(statuses.slice(5)).toEqual([200, 200, 200, 404])
  })

  test('of x402 are those with a reason, though they answer 200', async () => {
    rig.log.splice(0)
    rig.setPeer('198.51.100.3')
    for (let i = 0; i < 9; i += 1) {
      const answer = await rig.call('POST', '/v1/x402/verify', { key: null, body: { nothing: i } })
      expect(answer.status).toBe(200)
    }
    const lines = await linesOf(5)
    expect(lines).toHaveLength(5)
    expect(lines[0]).toMatchObject({ status: 200, reason: 'invalid_payload' })
  })
})

test('lines name routes, and no session', async () => {
  rig.setPeer('198.51.100.6')
  const { id } = await newSession(rig)
  rig.log.splice(0)
  for (const path of [
    `/v1/checkout/sessions/${id}`,
    `/checkout/${id}`,
    `/v1/checkout/sessions/${id}/choice`,
    `/nowhere/${id}`,
  ]) {
    await rig.call('GET', path, { key: null })
  }
  await linesOf(4)
  expect(rig.log.map(({ route }) => route)).toContain('/v1/checkout/sessions/:id')
  expect(JSON.stringify(rig.log)).not.toContain(id)
})

test('a request that a node gave no facts for has a line that says so, without the URL', async () => {
  rig.log.splice(0)
  rig.setPeer('198.51.100.5')
  const { payment_requirements: terms } = registered(await post(rig, body()))
  if (terms === null) throw new Error('the endpoint can’t be paid')
  const authorization = {
    from: PAYER,
    to: lowerCaseAddress(terms.payTo),
    value: BigInt(terms.amount),
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1_000) + 3_600),
    nonce: randomHash(),
  }
  // Of a contract wallet, perhaps: that takes a node, and no one listens at the rig's URL.
  const payment = v2Body({ ...terms }, authorization, randomHex(65))
  const { text } = await rig.call('POST', '/v1/x402/verify', { key: null, body: payment })
  expect(JSON.parse(text)).toMatchObject({ invalidReason: 'unexpected_verify_error' })
  const [, line] = await linesOf(2)
  expect(line).toMatchObject({ msg: 'the limits of a request could not be read' })
  expect(JSON.stringify(line)).not.toContain('127.0.0.1')
})

describe('what was left out', () => {
  test('is said once a minute, by client, and then the count begins again', () => {
    let now = 0
    const warnings: unknown[] = []
    const log = openRequestLog({ warn: (about: unknown) => warnings.push(about) }, 2, () => now)
    const admitted = () => ['a', 'a', 'a', 'a', 'b'].map((client) => log.admits(client))
    expect(admitted()).toEqual([true, true, false, false, true])
    now = 59_999
    expect(log.admits('a')).toBe(false)
    now = 60_000
    expect(log.admits('a')).toBe(true)
    expect(warnings).toEqual([{ clients: 1, most: [{ client: 'a', lines: 3 }] }])
  })

  test('is counted together for clients beyond ten thousand', () => {
    const log = openRequestLog({ warn: () => {} }, 1, () => 0)
    for (let i = 0; i < 10_000; i += 1) expect(log.admits(`client ${i}`)).toBe(true)
    expect([log.admits('one more'), log.admits('and another')]).toEqual([true, false])
  })
})
