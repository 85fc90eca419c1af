import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openRequestLog } from '../../api/http/requestLog.ts'
import { type ApiRig, openRig } from './rig.ts'

/** How many lines of the log a caller can cause by requests that fail; they follow the answers. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig({ variables: { LOG_FAILURES: '5' } })
})
afterAll(() => rig.close())

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
    await Bun.sleep(5)
    expect(rig.log).toHaveLength(5)
    for (let i = 0; i < 3; i += 1) {
      expect((await rig.call('GET', '/v1/utils/chains')).status).toBe(200)
    }
    rig.setPeer('198.51.100.2')
    await rig.call('GET', '/nowhere')
    await Bun.sleep(5)
    expect(rig.log.map(({ status }) => status).slice(5)).toEqual([200, 200, 200, 404])
  })

  test('of x402 are those with a reason, though they answer 200', async () => {
    rig.log.splice(0)
    rig.setPeer('198.51.100.3')
    for (let i = 0; i < 9; i += 1) {
      const answer = await rig.call('POST', '/v1/x402/verify', { key: null, body: { nothing: i } })
      expect(answer.status).toBe(200)
    }
    await Bun.sleep(5)
    expect(rig.log).toHaveLength(5)
    expect(rig.log[0]).toMatchObject({ status: 200, reason: 'invalid_payload' })
  })
})

describe('what was left out', () => {
  test('is said once a minute, by client, and then the count begins anew', () => {
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
