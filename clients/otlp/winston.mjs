import { logs } from '@opentelemetry/api-logs';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { OpenTelemetryTransportV3 } from '@opentelemetry/winston-transport';
import winston from 'winston';
import { declined } from './declined.mjs';

const provider = new LoggerProvider({
  processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })],
});
logs.setGlobalLoggerProvider(provider);
const logger = winston.createLogger({ transports: [new OpenTelemetryTransportV3()] });

logger.info('Cart was opened');
logger.warn('Stock is low', { order_id: 'ord_1' });
logger.error(declined);
logger.end();
await new Promise((resolve) => logger.on('finish', resolve));
await provider.shutdown();
