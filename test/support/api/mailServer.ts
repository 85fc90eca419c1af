import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { newCertificate } from '../certificate.ts'

/** An email server on this machine: with a certificate of its own, and refusing what a test wants. */

export interface ServerRules {
  /** What it asks for; without one, it asks for none. */
  readonly password?: string
  /** Speaks without TLS, and offers none. */
  readonly isPlain?: boolean
  /** What it refuses at first, one after the other. */
  readonly refusals?: readonly ('after the text' | 'of the recipient')[]
}

export interface MailServer {
  /** Trusts the server's certificate. */
  readonly url: string
  readonly urlWithoutTrust: string
  readonly received: { readonly from: string; readonly to: string[]; readonly text: string }[]
  /** The Message-ID of every text, of those that were refused as well. */
  readonly ids: string[]
  /** The passwords that it was told. */
  readonly passwords: string[]
  close(): Promise<void>
}

export async function openMailServer(rules: ServerRules): Promise<MailServer> {
  const { password, isPlain = false } = rules
  const refusals = [...(rules.refusals ?? [])]
  const received: MailServer['received'] = []
  const ids: string[] = []
  const passwords: string[] = []
  const pair = isPlain ? null : newCertificate('IP:127.0.0.1')
  const refuse = (what: 'after the text' | 'of the recipient') => {
    if (refusals[0] !== what) return null
    refusals.shift()
    const code = what === 'after the text' ? 451 : 450
    return Object.assign(new Error('try again later'), { responseCode: code })
  }
  const server = new SMTPServer({
    ...(pair === null ? { disabledCommands: ['STARTTLS'] } : { secure: true, ...pair }),
    allowInsecureAuth: true,
    authOptional: password === undefined,
    onAuth(auth, _session, done) {
      passwords.push(auth.password ?? '')
      if (auth.password === password) done(null, { user: 'remit' })
      else done(new Error('not this password'))
    },
    onRcptTo: (_address, _session, done) => done(refuse('of the recipient')),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString().replaceAll('\r\n', '\n')
        ids.push(/^Message-ID: (.*)$/im.exec(text)?.[1] ?? '')
        const refusal = refuse('after the text')
        if (refusal === null) received.push({ ...envelopeOf(session), text })
        done(refusal)
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const user = password === undefined ? '' : `remit:${encodeURIComponent(password)}@`
  const plain = `${isPlain ? 'smtp' : 'smtps'}://${user}127.0.0.1:${port}`
  const trust = pair === null ? '' : `?tls.ca=${encodeURIComponent(pair.cert)}`
  return {
    url: `${plain}${trust}`,
    urlWithoutTrust: plain,
    received,
    ids,
    passwords,
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}

function envelopeOf({ envelope: { mailFrom, rcptTo } }: SMTPServerSession) {
  const from = mailFrom === false ? '' : mailFrom.address
  return { from, to: rcptTo.map(({ address }) => address) }
}
