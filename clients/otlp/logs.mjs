import { context, trace } from '@opentelemetry/api';
import { SeverityNumber } from '@opentelemetry/api-logs';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { declined } from './declined.mjs';

// `http` sends JSON, and `proto` Protocol Buffers.
const { OTLPLogExporter } = await import(`@opentelemetry/exporter-logs-otlp-${process.argv[2]}`);

const provider = new LoggerProvider({
  resource: resourceFromAttributes({
    'service.name': 'checkout',
    'service.version': '1.4.2',
    'service.instance.id': 'pod-7f9c',
    'deployment.environment.name': 'staging',
  }),
  processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })],
});
const logger = provider.getLogger('shop', '2.0.0');
const span = { traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174', traceFlags: 1 };

logger.emit({ severityNumber: SeverityNumber.INFO, severityText: 'INFO', body: 'Cart was opened' });
logger.emit({
  severityNumber: SeverityNumber.WARN,
  body: { stock: { left: 1 }, sku: 'A-1' },
  attributes: { order_id: 'ord_1', 'user.id': 'usr_1', large: 2 ** 53 - 1, share: 0.5, tags: ['a', 'b'] },
});
logger.emit({
  severityNumber: SeverityNumber.ERROR,
  body: 'Payment failed',
  exception: declined,
  context: trace.setSpanContext(context.active(), span),
});
logger.emit({ eventName: 'order.paid', severityNumber: SeverityNumber.DEBUG });
await provider.shutdown();
