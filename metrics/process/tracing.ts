import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
} from '@opentelemetry/sdk-trace-base'
import type { TraceContext } from '../../core/base/tracing.ts'
import { VERSION } from '../../core/base/version.ts'

/**
 * Sends spans to a collector by OTLP. There is no ambient context: processes carry a trace on by what rows
 * say, and requests by what they hold. Loaded only where a collector is configured.
 */

export type SpanName = 'request' | 'claim' | 'relayer' | 'receipt' | 'webhook'
type Attributes = Readonly<Record<string, string | number | boolean>>

export interface RecordedSpan {
  readonly name: SpanName
  readonly start: Date
  readonly end: Date
  readonly attributes: Attributes
  /** What went wrong, in a word or two; absent when nothing did. */
  readonly error?: string | undefined
}

/** A span that has begun; others can be a part of it already. */
export interface OpenSpan extends TraceContext {
  end(name: string, attributes: Attributes, error?: string): void
}

export interface Tracer {
  /** Begins a request's span: in the caller's trace, or in one of this id. */
  begin(start: Date, parent: TraceContext | null, traceId: string): OpenSpan
  /** Records something that is over, as a part of a span of whichever process. */
  record(parent: TraceContext, span: RecordedSpan): void
  /** Sends what is waiting, within a second or two, and ends. */
  close(): Promise<void>
}

/** What must not hold up the end of a process. */
const CLOSING_MS = 2_000

export function openTracer(url: string, process: string): Tracer {
  let wanted: string | null = null
  const random = new RandomIdGenerator()
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': `remit-${process}`,
      'service.version': VERSION,
    }),
    idGenerator: {
      generateTraceId: () => wanted ?? random.generateTraceId(),
      generateSpanId: () => random.generateSpanId(),
    },
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  })
  const tracer = provider.getTracer('remit', VERSION)
  return {
    begin(start, parent, traceId) {
      wanted = traceId
      const kind = SpanKind.SERVER
      const context = parent === null ? ROOT_CONTEXT : within(parent)
      const span = tracer.startSpan('request', { kind, startTime: start }, context)
      wanted = null
      const at = span.spanContext()
      return {
        traceId: at.traceId,
        spanId: at.spanId,
        end(name, attributes, error) {
          span.updateName(name)
          span.setAttributes({ ...attributes })
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
          span.end()
        },
      }
    },
    record(parent, { name, start, end, attributes, error }) {
      const kind = name === 'webhook' ? SpanKind.CLIENT : SpanKind.INTERNAL
      const options = { kind, startTime: start, attributes: { ...attributes } }
      const span = tracer.startSpan(name, options, within(parent))
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
      span.end(end)
    },
    async close() {
      const ended = provider.shutdown().catch(() => undefined)
      await Promise.race([ended, Bun.sleep(CLOSING_MS)])
    },
  }
}

function within({ traceId, spanId }: TraceContext): Context {
  const at = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, at)
}
