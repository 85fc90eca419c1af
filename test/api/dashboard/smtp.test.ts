import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import pino from 'pino'
import { type Mailer, openMailer } from '../../../api/dashboard/mailer.ts'
import { sandboxKeyring } from '../../../core/base/keyring.ts'
import { DASHBOARD_PLACE } from '../../../core/merchant/recipientChange.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { storeEmail } from '../../../store/events/emails.ts'
import { storeOwnerEmail } from '../../../store/events/ownerEmails.ts'
import { type MailServer, openMailServer, type ServerRules } from '../../support/api/mailServer.ts'
import { prepareLedger } from '../../support/servers/database.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { createDatabase } from '../../support/servers/run.ts'

/** Mails on their way to a real server: once, again where it refused, and never past whoever listens. */

const FROM = 'Remit <remit@pay.example>'
const log = pino({ level: 'silent' })

let database: Database
let drop: () => Promise<void>
const opened: (MailServer | Mailer)[] = []

beforeAll(async () => {
  const made = await createDatabase(prepareLedger)
  database = openDatabase(made.url, { name: 'test-mails', poolSize: 4 })
  drop = () => made.drop()
}, 120_000)
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close()
})
afterAll(async () => {
  await database.end({ timeout: 1 })
  await drop()
})

async function serverWith(rules: ServerRules = {}): Promise<MailServer> {
  const server = await openMailServer(rules)
  opened.push(server)
  return server
}

const ORIGIN = 'https://pay.example'
const KEYS = sandboxKeyring([])

function mailerTo(smtpUrl: string, deadlineMs = 5_000): Mailer {
  const config = { smtpUrl, from: FROM, hasMailbox: false }
  const mailer = openMailer({ config, database, log, deadlineMs, origin: ORIGIN, keys: KEYS })
  opened.push(mailer)
  return mailer
}

async function newMail(recipient = `${crypto.randomUUID()}@example.com`): Promise<string> {
  await storeEmail(database, { recipient, subject: 'Grüße', body: 'A link.\n.\nThe end.\n' })
  return recipient
}

interface Row {
  readonly attempts: number
  readonly sentAt: Date | null
  readonly failure: string | null
  readonly body: string
  readonly isDue: boolean
}

async function rowOf(recipient: string): Promise<Row> {
  const [row] = await database<Row[]>`
    select attempts, sent_at, failure, body, due_at <= now() as is_due
    from mail where recipient = ${recipient}`
  if (row === undefined) throw new Error(`there is no mail to ${recipient}`)
  return row
}

/** The email once it was tried so often. */
async function tried(recipient: string, attempts = 1): Promise<Row> {
  for (;;) {
    const row = await rowOf(recipient)
    if (row.attempts >= attempts && (row.sentAt ?? row.failure) !== null) return row
    await Bun.sleep(5)
  }
}

const makeDue = (recipient: string) => database`
  update mail set due_at = now(), failure = null where recipient = ${recipient}`

describe('an email that a worker has written to an owner', () => {
  test('is sent once, with the address of the dashboard in its link, by the user who takes it', async () => {
    const server = await serverWith()
    const recipient = `${crypto.randomUUID()}@example.com`
    const body = `Stop it:\n${DASHBOARD_PLACE}/dashboard/stop-change#x\n`
    await database.begin((sql) => storeOwnerEmail(sql, { recipient, subject: 'x', body }))
    for (const mailer of [mailerTo(server.url), mailerTo(server.url)]) mailer.wake()
    const isSent = async () => {
      const [row] = await database`
        select sent_mac is not null as is_sent from owner_mail where recipient = ${recipient}`
      return row?.isSent === true
    }
    while (!(await isSent())) await Bun.sleep(5)
    const mails = server.received.filter(({ to }) => to.includes(recipient))
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain(`${ORIGIN}/dashboard/stop-change#x`)
  })
})

describe('a mail', () => {
  test('is sent once, over TLS and with a password, and then forgotten', async () => {
    const server = await serverWith({ password: 'p:ss/w@rd' })
    const recipients = await Promise.all(Array.from({ length: 6 }, newMail))
    for (const mailer of [mailerTo(server.url), mailerTo(server.url)]) mailer.wake()
    for (const recipient of recipients) {
      expect(await tried(recipient)).toMatchObject({ failure: null, body: '', attempts: 1 })
    }
    expect(server.received.map(({ to }) => to.join()).toSorted()).toEqual(recipients.toSorted())
    const [first] = server.received
    expect(first?.from).toBe('remit@pay.example')
    expect(first?.text).toMatch(/^Subject: =\?UTF-8\?/im)
    expect(first?.text).toMatch(/^Auto-Submitted: auto-generated$/im)
    expect(first?.text).toMatch(/^Message-ID: <[0-9a-f-]{36}@pay\.example>$/im)
    expect(first?.text).toMatch(/^Date: /im)
  })

  test('that is refused for now is sent later, once, and under the same id', async () => {
    const server = await serverWith({ refusals: ['after the text', 'of the recipient'] })
    const recipient = await newMail()
    const mailer = mailerTo(server.url)
    mailer.wake()
    expect(await tried(recipient)).toMatchObject({
      sentAt: null,
      failure: expect.stringContaining('451'),
      isDue: false,
    })
    await makeDue(recipient)
    mailer.wake()
    expect((await tried(recipient, 2)).failure).toContain('450')
    await makeDue(recipient)
    mailer.wake()
    expect(await tried(recipient, 3)).toMatchObject({ failure: null, body: '' })
    expect(server.received).toHaveLength(1)
    expect(new Set(server.ids).size).toBe(1)
  })

  test('goes to one address, regardless of what stands where the address should', async () => {
    const server = await serverWith()
    const recipient = await newMail('ada@example.com, all@evil.example')
    mailerTo(server.url).wake()
    await tried(recipient)
    const told = server.received.flatMap(({ to }) => to)
    expect(told).not.toContain('all@evil.example')
    expect(told.length).toBeLessThanOrEqual(1)
  })

  test('whose server says nothing is kept, and holds up no other for long', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    const recipients = [await newMail(), await newMail()]
    mailerTo(`smtp://127.0.0.1:${port}`, 100).wake()
    for (const recipient of recipients) {
      const { failure, sentAt } = await tried(recipient)
      expect(sentAt).toBeNull()
      expect(failure).toMatch(/greeting never received|timeout/i)
    }
    silent.close()
  })

  test('whose server never comes to an end of its answer is given up, and its connection closed', async () => {
    let closed = 0
    const endless = createServer((socket) => {
      socket.write('220 mail\r\n')
      const words = setInterval(() => socket.write('250-more\r\n'), 20)
      socket.on('error', () => {})
      socket.on('close', () => {
        clearInterval(words)
        closed += 1
      })
    })
    await new Promise<void>((done) => endless.listen(0, '127.0.0.1', done))
    const address = endless.address()
    const port = typeof address === 'object' ? address?.port : 0
    const recipient = await newMail()
    mailerTo(`smtp://127.0.0.1:${port}`, 200).wake()
    const { failure, sentAt } = await tried(recipient)
    expect([sentAt, failure]).toEqual([null, expect.stringMatching(/abort|time/i)])
    await eventually(
      async () => closed,
      (times) => times > 0,
    )
    endless.close()
  })
})

describe('a server that', () => {
  test('does not know the password is sent nothing', async () => {
    const server = await serverWith({ password: 'right' })
    const recipient = await newMail()
    mailerTo(server.url.replace('right', 'wrong')).wake()
    expect((await tried(recipient)).failure).toContain('535')
    expect(server.received).toHaveLength(0)
  })

  test('shows a certificate of no one’s is sent nothing', async () => {
    const server = await serverWith({ password: 'right' })
    const recipient = await newMail()
    mailerTo(server.urlWithoutTrust).wake()
    expect((await tried(recipient)).failure).toMatch(/certificate|self.signed/i)
    expect(server.received).toHaveLength(0)
  })

  test('offers no encryption is told no password, on another machine', async () => {
    const server = await serverWith({ password: 'right', isPlain: true })
    const recipient = await newMail()
    // 127.0.0.1 by a name that does not say so.
    mailerTo(server.url.replace('127.0.0.1', '0.0.0.0')).wake()
    expect((await tried(recipient)).failure).toMatch(/STARTTLS|TLS/)
    expect(server.passwords).toEqual([])
  })
})
