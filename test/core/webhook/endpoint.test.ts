import { describe, expect, test } from 'bun:test'
import { MAX_DESCRIPTION_LENGTH, MAX_URL_LENGTH } from '../../../core/base/description.ts'
import { asMerchantId, asWebhookEndpointId } from '../../../core/base/ids.ts'
import {
  endpointProblems,
  presentWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookEndpointRequest,
  webhookUrlProblem,
} from '../../../core/webhook/endpoint.ts'

const NOW = new Date('2026-06-01T12:00:00Z')

function pathsOf(request: WebhookEndpointRequest): string[] {
  return endpointProblems(request, 'live').map(({ path }) => path)
}

describe('a request for a webhook endpoint', () => {
  test('is fine with nothing, and with everything within its bounds', () => {
    expect(pathsOf({})).toEqual([])
    const description = '🧾'.repeat(MAX_DESCRIPTION_LENGTH)
    const eventTypes = ['invoice.paid', 'refund.created']
    expect(pathsOf({ url: 'https://shop.example/hooks', description, eventTypes })).toEqual([])
    expect(pathsOf({ eventTypes: null })).toEqual([])
  })

  test('is told every field that is wrong', () => {
    expect(pathsOf({ url: 'ftp://shop.example', description: 'a\0b', eventTypes: [] })).toEqual([
      'url',
      'description',
      'eventTypes',
    ])
    expect(pathsOf({ description: 'x'.repeat(MAX_DESCRIPTION_LENGTH + 1) })).toEqual([
      'description',
    ])
    expect(pathsOf({ eventTypes: ['invoice.paid', 'invoice.lost'] })).toEqual(['eventTypes.1'])
  })
})

describe('the URL of a webhook endpoint', () => {
  test('is https, and in the sandbox http will do', () => {
    expect(webhookUrlProblem('https://shop.example/a', 'live')).toBeNull()
    expect(webhookUrlProblem('http://shop.example/a', 'live')).toContain('https')
    expect(webhookUrlProblem('http://shop.example/a', 'sandbox')).toBeNull()
    expect(webhookUrlProblem('https://shop.example/a', 'sandbox')).toBeNull()
    expect(webhookUrlProblem('ftp://shop.example/a', 'sandbox')).toContain('http or https')
    expect(webhookUrlProblem('shop.example', 'sandbox')).toContain('must be a URL')
  })

  test.each(['https://me@shop.example', 'https://:secret@shop.example'])(
    'holds no credentials, as %s does',
    (text) => {
      expect(webhookUrlProblem(text, 'live')).toContain('credentials')
    },
  )

  test('has neither fragment nor NUL', () => {
    expect(webhookUrlProblem('https://shop.example/#here', 'live')).toContain('fragment')
    expect(webhookUrlProblem('https://shop.example/a\0', 'live')).toContain('NUL')
  })

  test('is at most as long as the bound, as it is written and as it is sent', () => {
    const url = (length: number) => 'https://shop.example/'.padEnd(length, 'a')
    expect(webhookUrlProblem(url(MAX_URL_LENGTH), 'live')).toBeNull()
    expect(webhookUrlProblem(url(MAX_URL_LENGTH + 1), 'live')).toContain('at most')
    // Every umlaut is six characters of the URL that is sent.
    const umlauts = `https://shop.example/${'ä'.repeat(400)}`
    expect(webhookUrlProblem(umlauts, 'live')).toContain('encoded as a URL')
    // Blanks at the end are not sent.
    expect(
      webhookUrlProblem(`https://shop.example/${' '.repeat(MAX_URL_LENGTH)}`, 'live'),
    ).toContain('at most')
  })
})

test('the secret before is shown until it ends', () => {
  const endpoint: WebhookEndpoint = {
    id: asWebhookEndpointId('019a0000-0000-7000-8000-000000000001'),
    merchantId: asMerchantId('019a0000-0000-7000-8000-000000000002'),
    url: 'https://shop.example/hooks',
    description: '',
    eventTypes: null,
    active: true,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    provenAt: null,
    previousUntil: NOW,
    version: 1,
    createdAt: NOW,
    updatedAt: NOW,
  }
  const until = (now: Date, previousUntil: Date | null = NOW) =>
    presentWebhookEndpoint({ ...endpoint, previousUntil }, now).previousSecretUntil
  expect(until(new Date(NOW.getTime() - 1))).toBe(NOW.toISOString())
  expect(until(NOW)).toBeNull()
  expect(until(NOW, null)).toBeNull()
})
