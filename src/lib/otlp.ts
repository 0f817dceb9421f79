import type { Span } from './trace.ts'

// Span kinds and status as numbers of the OpenTelemetry protocol.
const kinds: Record<Span['name'], number> = { accept: 2, expand: 5, advance: 1, deliver: 5, provider: 3 }
const errorStatus = 2

/** Spans as an OTLP/HTTP collector takes them in JSON. */
export function toOtlp(spans: readonly Span[], serviceName: string): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: [attribute(['service.name', serviceName])] },
        scopeSpans: [{ scope: { name: 'tidings' }, spans: spans.map(toOtlpSpan) }],
      },
    ],
  }
}

function toOtlpSpan({ parent, spanId, name, startMs, endMs, attributes, fault }: Span) {
  return {
    traceId: parent.traceId,
    spanId,
    parentSpanId: parent.spanId,
    name,
    kind: kinds[name],
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(Math.max(startMs, endMs)),
    attributes: Object.entries(attributes).map(attribute),
    ...(fault !== undefined && { status: { code: errorStatus, message: fault } }),
  }
}

function attribute([key, value]: [string, string | number]) {
  return { key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }
}

/** As text: JSON numbers are not exact at this size. */
function toNanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`
}
