import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of live clients' connections. */
export interface RealtimeMetrics {
  webSocketClients: Gauge;
  webSocketFrames: Counter<'event'>;
}

export function createRealtimeMetrics(registers: Registry[]): RealtimeMetrics {
  return {
    webSocketClients: new Gauge({
      name: 'tocsin_websocket_clients',
      help: 'Open WebSocket connections',
      registers,
    }),
    webSocketFrames: new Counter({
      name: 'tocsin_websocket_frames_total',
      help: 'Frames sent to WebSocket clients',
      labelNames: ['event'],
      registers,
    }),
  };
}
