import { formatCursor } from '../../core/base/page.ts'
import type { Database } from '../../store/database/database.ts'
import type { World } from './world.ts'

/** An example of every GET of the API, by the merchant with a fifth of the history. */
export interface Read {
  /** The route, as SECTIONS has it. */
  readonly route: string
  readonly path: string
  /**
   * Why it reads more rows than it shows, all of them the merchant's own: these it counts or adds up in
   * an index.
   */
  readonly counts?: string
}

const DAY_MS = 86_400_000

/** The merchant's rows in the seeded history, as arguments of the reads. */
export async function readsOf({ database, merchant }: World): Promise<Read[]> {
  const { id: of } = merchant.merchant
  const invoice = await first(database<{ id: string; externalRef: string; reference: string }[]>`
    select id, external_ref, reference from invoice
    where merchant_id = ${of} and status = 'completed' order by created_at limit 1`)
  const between = await first(database<{ id: string; us: bigint }[]>`
    select id, (extract(epoch from created_at) * 1000000)::bigint as us from invoice
    where merchant_id = ${of} order by created_at desc offset 1000 limit 1`)
  const middle = formatCursor([String(between.us), between.id])
  const paid = await first(database<{ txHash: string }[]>`
    select tx_hash from payment where merchant_id = ${of} order by created_at limit 1`)
  const [often, rarely] = [payerNamed('e'), payerNamed('f')]
  const offered = await first(database<{ id: string }[]>`
    insert into price (id, merchant_id, amount, tokens, chains, is_reusable, created_at, updated_at)
    values (gen_random_uuid(), ${of}, '10', '{USDC}', '{}', true, now(), now()) returning id`)
  const link = await first(database<{ id: string }[]>`
    insert into payment_link (id, slug, merchant_id, price_id, created_at, updated_at)
    values (gen_random_uuid(), left(md5(${offered.id}::text), 22), ${of}, ${offered.id}, now(), now())
    returning id`)
  const session = await first(database<{ id: string }[]>`
    insert into checkout_session (id, merchant_id, price_id, expires_at, created_at)
    values ('cs_' || left(md5(${offered.id}::text), 21) || 'A', ${of}, ${offered.id},
      now() + interval '1 hour', now())
    returning id`)
  const endpoint = await first(database<{ id: string }[]>`
    select id from webhook_endpoint where merchant_id = ${of} order by created_at limit 1`)
  const event = await first(database<{ id: string; objectId: string }[]>`
    select id, object_id from outbox
    where merchant_id = ${of} and position is not null order by position limit 1`)
  const delivery = await first(database<{ id: string }[]>`
    select id from webhook_delivery where endpoint_id = ${endpoint.id}
    order by event_id limit 1`)
  const price = await first(database<{ id: string; url: string }[]>`
    select id, url from x402_endpoint where merchant_id = ${of} order by created_at limit 1`)
  const payment = await first(database<{ id: string; payer: string; nonce: string }[]>`
    select id, payer, authorization_nonce as nonce from x402_payment where merchant_id = ${of}
    order by created_at limit 1`)
  const channel = await first(database<{ id: string }[]>`
    with made as (
      insert into x402_channel (network_id, channel_id, merchant_id, payer, payer_authorizer, receiver,
        receiver_authorizer, token, withdraw_delay, salt)
      select p.network_id, '0x' || lpad(to_hex(n), 64, '0'), ${of}, p.payer, p.payer, p.pay_to,
        p.payer, p.asset, 900, '0x' || lpad(to_hex(n), 64, '0')
      from (select * from x402_payment where merchant_id = ${of} order by created_at limit 1) p,
        generate_series(1, 200) n
      returning network_id, channel_id
    ), kept as (
      insert into x402_channel_voucher (network_id, channel_id, record)
      select network_id, channel_id, '{}' from made
    )
    select channel_id as id from made limit 1`)
  const { total } = await totalOf(database, of)
  const { requested } = await first(database<{ requested: number }[]>`
    select count(*)::integer as requested from x402_payment where merchant_id = ${of}`)
  const at = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
  const range = `createdFrom=${at(300)}&createdTo=${at(20)}`
  const unpaid = 'unpaid invoices, whose ends are compared with the clock'
  const requests = 'paid requests, in an index with all that a list is narrowed down by'
  const list = (route: string, paths: readonly string[], counts?: string): Read[] =>
    paths.map((query) => ({ route, path: `${route}${query}`, ...(counts ? { counts } : {}) }))
  return [
    ...list('/v1/invoices', [
      ...['', '?status=pending', '?status=partial', '?status=paid', '?status=completed'],
      ...[`?offset=${half(total)}`, `?status=completed&offset=${half(total / 2)}`],
      ...[`?${range}`, `?${range}&offset=${half(total / 2)}`],
      ...[`?externalRef=${invoice.externalRef}`, `?reference=${invoice.reference}`],
    ]),
    ...list(
      '/v1/invoices',
      [
        ...['?expired=true', '?expired=false', `?expired=true&offset=${half(total / 5)}`],
        ...[`?status=pending&expired=true&limit=100`],
      ],
      unpaid,
    ),
    ...list('/v1/invoices', [
      ...['?after=', '?before=', `?after=${middle}&limit=100`, `?before=${middle}`],
      ...[`?status=completed&after=${middle}`, `?expired=true&after=${middle}`],
      ...[`?tokenSymbol=USDC&status=paid&before=${middle}`, '?tokenSymbol=USDC'],
      ...['?amountFrom=1&amountTo=1&after=', `?amountFrom=1&amountTo=1&before=${middle}`],
      ...[`?payer=${often}&after=`, `?payer=${often}&after=${middle}`, `?payer=${rarely}`],
      ...['?metadata.channel=web&after=', `?metadata.channel=web&before=${middle}`],
      ...['?metadata.batch=b-3&after=', '?metadata.batch=none', `?txHash=${paid.txHash}`],
    ]),
    ...list(
      '/v1/invoices',
      [
        ...['?amountFrom=1&amountTo=1', '?amountFrom=1.5&after=', '?amountFrom=0.5&after='],
        ...['?amountFrom=1.5', `?paidFrom=${at(30)}`, `?paidTo=${at(300)}&after=`],
        ...[`?payer=${often}`, '?metadata.channel=web', `?paidTo=${at(300)}&amountTo=1`],
      ],
      'what a filter chooses, to be counted or put in order',
    ),
    { route: '/v1/invoices/:id', path: `/v1/invoices/${invoice.id}` },
    { route: '/v1/invoices/:id/transactions', path: `/v1/invoices/${invoice.id}/transactions` },
    { route: '/v1/invoices/:id/refunds', path: `/v1/invoices/${invoice.id}/refunds` },
    ...list(
      '/v1/recoveries',
      ['', '?offset=40', `?offset=${half(total / 20)}`],
      'places in which money is held',
    ),
    ...list(
      '/v1/reports/daily',
      ['', `?from=${at(1)}`, `?from=${at(365)}`],
      'movements of the requested days',
    ),
    ...list('/v1/reports/transactions.csv', ['', `?from=${at(1)}`]),
    ...list('/v1/webhooks/endpoints', ['']),
    { route: '/v1/webhooks/endpoints/:id', path: `/v1/webhooks/endpoints/${endpoint.id}` },
    ...list('/v1/webhooks/deliveries', [
      ...['', '?state=pending', '?type=test'],
      ...[`?endpointId=${endpoint.id}`, `?eventId=${event.id}`],
    ]),
    ...list(
      '/v1/webhooks/deliveries',
      [
        '?state=failed',
        '?type=invoice.paid',
        '?type=invoice.expired',
        `?offset=${half(total / 2)}`,
      ],
      'deliveries of the days that a page is on',
    ),
    { route: '/v1/webhooks/deliveries/:id', path: `/v1/webhooks/deliveries/${delivery.id}` },
    ...list('/v1/events', [
      ...['', `?after=${event.id}`, '?type=invoice.expired', '?type=test'],
      `?objectId=${event.objectId}`,
    ]),
    { route: '/v1/events/:id', path: `/v1/events/${event.id}` },
    { route: '/v1/x402/addresses', path: '/v1/x402/addresses' },
    ...list(
      '/v1/x402/channels',
      ['', '?after=', '?withdrawing=true'],
      'channels, in an index of their merchant',
    ),
    { route: '/v1/x402/channels/:id', path: `/v1/x402/channels/${channel.id}` },
    { route: '/v1/x402/channels/:id/voucher', path: `/v1/x402/channels/${channel.id}/voucher` },
    ...list(
      '/v1/x402/payments',
      [
        ...['', '?status=failed', `?payer=${payment.payer}`],
        ...[`?nonce=${payment.nonce}`, `?offset=${half(requested)}`],
      ],
      requests,
    ),
    { route: '/v1/x402/payments/:id', path: `/v1/x402/payments/${payment.id}` },
    {
      route: '/v1/x402/payments/:id/refunds',
      path: `/v1/x402/payments/${payment.id}/refunds`,
    },
    {
      route: '/v1/x402/payments/status',
      path: `/v1/x402/payments/status?nonce=${payment.nonce}`,
    },
    ...list('/v1/search', [
      ...[`?q=${invoice.id}`, `?q=${invoice.reference}`, `?q=${invoice.externalRef}`],
      ...['?q=order-', '?q=0000', `?q=${paid.txHash}`, `?q=${often}`, `?q=${rarely}`],
    ]),
    ...list('/v1/balances', ['']),
    { route: '/v1/prices', path: '/v1/prices' },
    { route: '/v1/prices/:id', path: `/v1/prices/${offered.id}` },
    { route: '/v1/payment-links', path: '/v1/payment-links' },
    { route: '/v1/payment-links/:id', path: `/v1/payment-links/${link.id}` },
    { route: '/v1/settings/checkout', path: '/v1/settings/checkout' },
    { route: '/v1/settings/recipient', path: '/v1/settings/recipient' },
    { route: '/v1/checkout/sessions/:id', path: `/v1/checkout/sessions/${session.id}` },
    ...list('/v1/x402/endpoints', ['']),
    { route: '/v1/x402/endpoints/:id', path: `/v1/x402/endpoints/${price.id}` },
    {
      route: '/v1/x402/endpoints/:id/requirements',
      path: `/v1/x402/endpoints/${price.id}/requirements`,
    },
    {
      route: '/v1/x402/endpoints/requirements',
      path: `/v1/x402/endpoints/requirements?url=${encodeURIComponent(price.url)}`,
    },
    ...list('/v1/x402/discovery/resources', ['', '?offset=50', '?type=http&extensions=bazaar']),
    ...list('/v1/x402/discovery/search', ['?query=listed', `?query=listed&cursor=20`]),
    ...['/v1/x402/supported', '/v1/utils/chains', '/v1/utils/tokens', '/health', '/ready'].map(
      (route) => ({
        route,
        path: route,
      }),
    ),
  ]
}

/** A payer of invoices, by the seed's name. */
function payerNamed(name: string): string {
  return `0xb${name.padStart(39, '0')}`
}

async function totalOf(sql: Database, merchantId: string): Promise<{ total: number }> {
  const [row] = await sql<{ total: number }[]>`
    select coalesce(sum(invoices), 0)::integer as total from invoice_tally
    where merchant_id = ${merchantId}`
  return row ?? { total: 0 }
}

function half(of: number): number {
  return Math.floor(of / 2)
}

async function first<R>(query: PromiseLike<readonly R[]>): Promise<R> {
  const [row] = await query
  if (row === undefined) throw new Error('the history lacks an example')
  return row
}
