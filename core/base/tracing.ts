/** Trace contexts: W3C Trace Context, section 3.2. */

/** Where in a trace something happens: the span that it is a part of. */
export interface TraceContext {
  /** 32 hexadecimal digits, not all zero. */
  readonly traceId: string
  /** 16 hexadecimal digits, not all zero. */
  readonly spanId: string
}

export interface Traceparent extends TraceContext {
  /** Whether the caller records its part. */
  readonly isSampled: boolean
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const LONGEST = 256

/** Reads a `traceparent` header; null for one that the specification has ignored. */
export function parseTraceparent(text: string): Traceparent | null {
  if (text.length > LONGEST) return null
  const [, version, traceId = '', spanId = '', flags = '0', rest] = FORM.exec(text.trim()) ?? []
  if (version === undefined || version === 'ff') return null
  // Later versions may have more; this one has not.
  if (version === '00' && rest !== undefined) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The trace of a request that came without one: the trace id that its client sees, in hexadecimal. */
export function traceIdOf(uuid: string): string {
  return uuid.replaceAll('-', '')
}
