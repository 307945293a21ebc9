// Nothing is asked of other hosts: no proxy, no fonts, no telemetry.
globalThis.Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  tagsSorter: 'alpha',
  agent: { disabled: true },
  mcp: { disabled: true },
});
