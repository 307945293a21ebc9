import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { declined } from './declined.mjs';

// `http` sends JSON, and `proto` Protocol Buffers.
const { OTLPTraceExporter } = await import(`@opentelemetry/exporter-trace-otlp-${process.argv[2]}`);

const provider = new TracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'checkout', 'service.version': '1.4.2' }),
  spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
});
const tracer = provider.getTracer('shop');

tracer.startSpan('GET /cart').end();
const span = tracer.startSpan('POST /pay', { kind: SpanKind.SERVER, attributes: { 'http.route': '/pay' } });
span.recordException(declined);
span.setStatus({ code: SpanStatusCode.ERROR });
span.setAttribute('http.response.status_code', 500);
span.end();
await provider.shutdown();
