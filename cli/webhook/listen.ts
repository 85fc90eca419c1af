import { formatSecret, SECRET_BYTES, signedHeaders } from '../../core/webhook/signature.ts'
import { CommandError, type CommandInput, type CommandSpec, misused } from '../terminal/command.ts'
import { demoStack } from '../terminal/demoStack.ts'
import { required } from '../terminal/options.ts'
import { columns } from '../terminal/output.ts'
import { activeEndpoints, type StreamedEvent, streamEvents } from './eventStream.ts'

/** Webhooks for a developer's machine that is not reachable from outside. */

const TIMEOUT_MS = 15_000

export const listenCommand: CommandSpec = {
  words: ['listen'],
  about: "Forward a merchant's events to a local URL as they happen, signed like webhooks.",
  details: `Reads GET /v1/events with the merchant's secret key, so no public address is needed. Each event is
posted once, signed with a secret that is printed at the start. A URL that is also a webhook endpoint of the
merchant is refused, because it would receive every event twice. Stop with Ctrl-C.`,
  options: {
    forward: { value: 'URL', about: 'The URL to post events to', required: true },
    key: { value: 'KEY', about: "The merchant's secret key (default: the demo merchant's)" },
    api: { value: 'URL', about: 'The API (default: the development stack)' },
    secret: { value: 'SECRET', about: 'The signing secret (default: a new one)' },
    events: {
      value: 'TYPES',
      about: 'Only these event types, separated by commas, e.g. invoice.paid',
    },
  },
  examples: [
    'listen --forward http://localhost:4000/hook',
    'listen --forward http://localhost:4000/hook --events invoice.paid,invoice.completed',
    'listen --forward http://localhost:4000/hook --api https://pay.example.com --key sk_test_...',
  ],
  async run(input) {
    const plan = planOf(input)
    await refuseEndpoint(plan)
    input.say(`forwarding to ${plan.forward}, signed with ${plan.secret}`)
    const end = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end.abort())
    let forwarded = 0
    let failed = 0
    for await (const event of streamEvents({ ...plan, say: input.say }, end.signal)) {
      if (plan.types !== null && !plan.types.includes(event.type)) continue
      const result = await post(event, plan)
      forwarded += 1
      if (!result.isOk) failed += 1
      input.say(`${event.timestamp}  ${event.type}  ${event.id}  ${result.text}`)
    }
    const text = columns([
      ['forwarded', String(forwarded)],
      ['failed', String(failed)],
    ])
    return { json: { forwarded, failed }, text }
  },
}

interface Plan {
  readonly forward: string
  readonly apiUrl: string
  readonly key: string
  readonly secret: string
  readonly types: readonly string[] | null
}

function planOf(input: CommandInput): Plan {
  const forward = required(input, 'forward')
  if (URL.parse(forward) === null) throw misused(input, `--forward must be a URL, not ${forward}`)
  const stack = demoStack(input)
  const apiUrl = input.values.get('api') ?? stack.apiUrl
  const key = input.values.get('key') ?? stack.secretKey
  if (apiUrl === undefined || key === undefined) {
    throw new CommandError(['there is no development stack here: set --api and --key'])
  }
  const random = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  const secret = input.values.get('secret') ?? formatSecret('sandbox', random)
  if (!/^(test_)?whsec_[A-Za-z0-9+/]+=*$/.test(secret)) {
    throw misused(input, '--secret must be test_whsec_ or whsec_ followed by base64')
  }
  const types = input.values.get('events')?.split(',') ?? null
  return { forward, apiUrl: apiUrl.replace(/\/$/, ''), key, secret, types }
}

/** @throws CommandError if the URL is a webhook endpoint. */
async function refuseEndpoint({ forward, ...source }: Plan): Promise<void> {
  const wanted = new URL(forward).href
  const urls = await activeEndpoints(source)
  if (!urls.some((url) => new URL(url).href === wanted)) return
  throw new CommandError([
    `${forward} is already a webhook endpoint and would receive every event twice: ` +
      'forward to another URL, or disable the endpoint',
  ])
}

async function post(
  { id, ...rest }: StreamedEvent,
  { forward, secret }: Plan,
): Promise<{ readonly isOk: boolean; readonly text: string }> {
  const body = JSON.stringify(rest)
  const began = performance.now()
  try {
    const response = await fetch(forward, {
      method: 'POST',
      headers: {
        ...signedHeaders({ id, at: new Date(), body }, [secret]),
        'content-type': 'application/json',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    const took = Math.round(performance.now() - began)
    return { isOk: response.ok, text: `${response.status} in ${took} ms` }
  } catch (error) {
    return { isOk: false, text: error instanceof Error ? error.message : String(error) }
  }
}
