import type { Reader } from './reader.ts'

/**
 * Where spans are sent: the URL of a collector's OTLP receiver for traces over HTTP, or null for nowhere.
 * As the OpenTelemetry specification has it, the endpoint is the base of the URL.
 */
export function traceEndpoint(reader: Reader): string | null {
  const text = reader.optional('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (text === null) return null
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    reader.problem('OTEL_EXPORTER_OTLP_ENDPOINT must be the http:// or https:// URL of a collector')
    return null
  }
  return `${url.href.replace(/\/$/, '')}/v1/traces`
}
