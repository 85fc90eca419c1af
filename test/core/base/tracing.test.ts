import { describe, expect, test } from 'bun:test'
import { parseTraceparent } from '../../../core/base/tracing.ts'
import { parseConfig } from '../../../core/config/processes.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

describe('a traceparent', () => {
  test('is read with whether its caller records', () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({
      ...{ traceId: TRACE, spanId: SPAN, isSampled: true },
    })
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-00`)?.isSampled).toBe(false)
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-03-more`)?.traceId).toBe(TRACE)
  })

  test.each([
    '',
    TRACE,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}'; drop table x-${SPAN}-01`,
    `01-${TRACE}-${SPAN}-01-${'x'.repeat(300)}`,
  ])('is ignored as %p', (text) => {
    expect(parseTraceparent(text)).toBeNull()
  })
})

test('the endpoint of a collector is the base of a URL, or there is none', () => {
  const parse = (endpoint: string) =>
    parseConfig({
      DATABASE_URL: 'postgres://ledger',
      REDIS_URL: 'redis://mailboxes',
      HUB_ADDRESS: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      FEE_COLLECTOR: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
      RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:8545',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    })
  const traces = (endpoint: string) => {
    const parsed = parse(endpoint)
    return parsed.ok ? parsed.config.traces : parsed.problems[0]
  }
  expect(traces('')).toBeNull()
  expect(traces('http://collector:4318/')).toBe('http://collector:4318/v1/traces')
  expect(traces('https://x.example/otlp')).toBe('https://x.example/otlp/v1/traces')
  expect(traces('collector:4318')).toStartWith('OTEL_EXPORTER_OTLP_ENDPOINT must be')
})
