import { timingSafeEqual } from 'node:crypto'
import { db } from 'ponder:api'
import schema from 'ponder:schema'
import { type Context, Hono } from 'hono'
import { graphql } from 'ponder'
import { inheritedConfig } from '../../configuration.ts'

/**
 * GraphQL for analytics. It shows what all merchants received, so it is for the operator alone:
 * whoever has the operator's token, or without a token whoever works on this very machine.
 */

const { operatorToken } = inheritedConfig()
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

const app = new Hono()

app.use('/graphql', async (context, next) => {
  const refusal = operatorToken === null ? notLocal(context) : wrongToken(context, operatorToken)
  if (refusal !== null) return context.json({ errors: [{ message: refusal }] }, 401)
  return await next()
})
app.use('/graphql', graphql({ db, schema }))

export default app

function wrongToken(context: Context, expected: string): string | null {
  const given = context.req.header('authorization') ?? ''
  return isSame(given, `Bearer ${expected}`)
    ? null
    : 'send the operator token: Authorization: Bearer <token>'
}

/** Compares digests, which have one length, in a time that doesn't depend on where they differ. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Uint8Array {
  return new Bun.CryptoHasher('sha256').update(text).digest()
}

/**
 * Binding to the loopback interface keeps other machines out, but not the web pages that are open in
 * this machine's browser: their requests name another origin, or another host that resolves here.
 */
function notLocal(context: Context): string | null {
  const host = context.req.header('host') ?? ''
  const origin = context.req.header('origin')
  const isLocal = LOOPBACK.includes(host.replace(/:[0-9]+$/, ''))
  const isOwn = origin === undefined || origin === `http://${host}`
  return isLocal && isOwn ? null : 'only this machine may ask; set OPERATOR_TOKEN to open it'
}
