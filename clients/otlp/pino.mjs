import pino from 'pino';
import { declined } from './declined.mjs';

const logger = pino({ transport: { target: 'pino-opentelemetry-transport' } });

logger.info('Cart was opened');
logger.warn({ order_id: 'ord_1' }, 'Stock is low');
logger.error(declined, 'Payment failed');
logger.fatal('Out of memory');
