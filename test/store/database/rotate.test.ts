import { describe, expect, test } from 'bun:test'
import { type Keyring, keyringOf, type SecretKey } from '../../../core/base/keyring.ts'
import { type SecretColumn, unseal } from '../../../core/base/sealed.ts'
import type { Database } from '../../../store/database/database.ts'
import { keysInUse, missingKeys, secretKeyProblems } from '../../../store/database/inUse.ts'
import { rotateSecrets } from '../../../store/database/rotate.ts'
import { seal } from '../../../store/database/seal.ts'
import { createWebhookEndpoint } from '../../../store/webhook/endpoints.ts'
import { remit } from '../../support/cli/run.ts'
import { roleUrl } from '../../support/servers/roles.ts'
import { forEachTest } from '../../support/store/database.ts'
import { endpointRow, NOW, newEndpoint, newMerchant } from '../../support/store/webhook.ts'

let sql: Database
let url: string
forEachTest(['webhook_endpoint', 'auth.user'], (database, databaseUrl) => {
  sql = database
  url = databaseUrl
})

const key = (id: string): SecretKey => ({ id, bytes: crypto.getRandomValues(new Uint8Array(32)) })
const [OLD, NEW] = [key('old'), key('new')]
function ring(...keys: SecretKey[]): Keyring {
  const keyring = keyringOf(keys)
  if (keyring === null) throw new Error('there is no key')
  return keyring
}

function variable(...keys: SecretKey[]): string {
  return keys.map(({ id, bytes }) => `${id}:${bytes.toBase64()}`).join(',')
}

/** An endpoint whose secrets are `plain` and `before`. */
async function endpointWith(keys: Keyring) {
  const id = await newEndpoint(sql, await newMerchant(sql))
  const place = { column: 'webhook_endpoint.secret', rowId: id } as const
  const stored = (text: string) => seal(keys, place, text)
  await sql`
    update webhook_endpoint set secret = ${stored('plain')}, previous_secret = ${stored('before')},
      previous_until = ${NOW} where id = ${id}`
  return { id, place }
}

async function authenticatorWith(keys: Keyring) {
  const rowId = crypto.randomUUID()
  const [person] = await sql<{ id: string }[]>`
    insert into auth."user" (name, email, "emailVerified")
    values ('Ada', ${`${rowId}@example.com`}, true) returning id`
  const stored = (column: SecretColumn, text: string) => seal(keys, { column, rowId }, text)
  await sql`
    insert into auth."twoFactor" (id, secret, "backupCodes", "userId") values (${rowId},
      ${stored('twoFactor.secret', 'seed')}, ${stored('twoFactor.backupCodes', 'codes')},
      ${person?.id ?? null})`
  return rowId
}

describe('a rotation', () => {
  test('encrypts what is of another key, and nothing else, to the same secrets', async () => {
    const keys = ring(NEW, OLD)
    const done = await endpointWith(keys)
    const endpoints = [await endpointWith(ring(OLD)), done]
    const people = [await authenticatorWith(ring(OLD))]
    const untouched = await endpointRow(sql, done.id)
    expect(await rotateSecrets(sql, keys, { batch: 1 })).toEqual({ rotated: 4, unreadable: [] })
    for (const { id, place } of endpoints) {
      const row = await endpointRow(sql, id)
      expect(unseal(ring(NEW), place, row.secret)).toBe('plain')
      expect(unseal(ring(NEW), place, row.previousSecret ?? '')).toBe('before')
    }
    for (const rowId of people) {
      const [row] = await sql<{ secret: string; backupCodes: string }[]>`
        select secret, "backupCodes" from auth."twoFactor" where id = ${rowId}`
      expect(unseal(ring(NEW), { column: 'twoFactor.secret', rowId }, row?.secret ?? '')).toBe(
        'seed',
      )
      const place = { column: 'twoFactor.backupCodes', rowId } as const
      expect(unseal(ring(NEW), place, row?.backupCodes ?? '')).toBe('codes')
    }
    expect(await endpointRow(sql, done.id)).toEqual(untouched)
    expect(await rotateSecrets(sql, keys)).toEqual({ rotated: 0, unreadable: [] })
  })

  test('that was cut off goes on where it was', async () => {
    for (let n = 0; n < 5; n++) await endpointWith(ring(OLD))
    const keys = ring(NEW, OLD)
    let batches = 0
    const cut = rotateSecrets(sql, keys, {
      batch: 2,
      onBatch() {
        batches += 1
        if (batches === 2) throw new Error('killed')
      },
    })
    await expect(cut).rejects.toThrow('killed')
    const inUse = Object.fromEntries((await keysInUse(sql)).map((one) => [one.keyId, one.secrets]))
    expect(inUse).toEqual({ new: 4n, old: 6n })
    expect(await rotateSecrets(sql, keys)).toMatchObject({ rotated: 6 })
  })

  test('does not undo what a merchant rotated meanwhile', async () => {
    const { id, place } = await endpointWith(ring(OLD))
    const other = await endpointWith(ring(OLD))
    const fresh = seal(ring(OLD), place, 'fresh')
    const slow = new Proxy(sql, {
      apply(target, self, args: [TemplateStringsArray, ...unknown[]]) {
        const run = () => Reflect.apply(target, self, args)
        const isReplacing = String(args[0]).includes('update') && args.includes(id)
        if (!isReplacing) return run()
        return sql`update webhook_endpoint set secret = ${fresh} where id = ${id}
          and secret <> ${fresh} and previous_secret is not null`.then(run)
      },
    })
    await rotateSecrets(slow, ring(NEW, OLD))
    const row = await endpointRow(sql, id)
    expect(unseal(ring(NEW, OLD), place, row.secret)).toBe('fresh')
    const { secret } = await endpointRow(sql, other.id)
    expect(unseal(ring(NEW), other.place, secret)).toBe('plain')
  })

  test('leaves what it cannot read, and says so without the secret', async () => {
    const lost = await endpointWith(ring(key('lost')))
    const moved = await endpointWith(ring(OLD))
    const target = await endpointWith(ring(OLD))
    await sql`
      update webhook_endpoint set secret = (select secret from webhook_endpoint where id = ${moved.id})
      where id = ${target.id}`
    const { rotated, unreadable } = await rotateSecrets(sql, ring(NEW, OLD))
    expect(rotated).toBe(3)
    expect(unreadable).toHaveLength(3)
    expect(unreadable.join()).toContain('the key "lost", which ENCRYPTION_KEYS lacks')
    expect(unreadable.join()).toContain(`${target.id} was written for another row`)
    const { secret } = await endpointRow(sql, lost.id)
    expect(unreadable.join()).not.toContain(secret)
  })
})

describe('a process', () => {
  test('is told which key it lacks, for what it reads', async () => {
    await endpointWith(ring(OLD))
    const asNotifier = await roleUrl(url, 'notifier')
    const [problem] = await secretKeyProblems(asNotifier, ring(NEW), 'webhook')
    expect(problem).toStartWith('2 webhook secrets are encrypted with the key "old", which')
    expect(await secretKeyProblems(asNotifier, ring(NEW, OLD), 'webhook')).toEqual([])
    expect(await secretKeyProblems(asNotifier, ring(NEW), 'authenticator')).toEqual([])
    expect(await secretKeyProblems('postgres://127.0.0.1:9/x', ring(NEW), 'webhook')).toEqual([])
  })

  test('stores no secret of an endpoint that can be read without the key', async () => {
    const terms = { environment: 'sandbox', secretKeys: ring(NEW) } as const
    const wanted = { url: 'https://shop.example/hook', description: '', eventTypes: null }
    const created = await createWebhookEndpoint(sql, terms, await newMerchant(sql), wanted, NOW)
    if (!created.ok) throw new Error('there are too many')
    const { secret } = await endpointRow(sql, created.endpoint.id)
    expect(secret).toStartWith('sealed:1:new:')
    const place = { column: 'webhook_endpoint.secret', rowId: created.endpoint.id } as const
    expect(unseal(ring(NEW), place, secret)).toBe(created.secret)
    expect(missingKeys(await keysInUse(sql), ring(NEW), null)).toEqual([])
  })
})

describe('remit secrets', () => {
  test('rotates by command, and names keys but shows none', async () => {
    await endpointWith(ring(OLD))
    const settings = { DATABASE_URL: url, ENCRYPTION_KEYS: variable(NEW, OLD) }
    const ran = await remit(settings, 'secrets', 'rotate', '--json')
    expect(ran.json()).toEqual({ key: 'new', rotated: 2, unreadable: [] })
    const shown = await remit({ ...settings, ENCRYPTION_KEYS: variable(OLD) }, 'secrets', 'status')
    expect(shown.code).toBe(1)
    expect(shown.out).toContain('2 webhook secrets are encrypted with the key "new"')
    for (const { bytes } of [OLD, NEW]) {
      expect(ran.out + ran.err + shown.out + shown.err).not.toContain(bytes.toBase64())
    }
    const [entry] = await sql`
      select action, e.object_id, merchant_id, status
      from audit_entry e join audit_outcome o on o.entry_id = e.id order by e.id desc limit 1`
    const done = { action: 'rotateSecrets', objectId: 'new', merchantId: null, status: 200 }
    expect(entry).toEqual(done)
  })
})
