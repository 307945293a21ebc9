/*
 * The last list of a command line replaces those before it, so what Playwright switches on and off stands here, too.
 */
const ENABLED = [
  'CDPScreenshotNewSurface',
  'SkipListAccountsWithoutGaiaCookies',
  // No process of its own for the network.
  'NetworkServiceInProcess2',
];
const DISABLED = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  // A load keeps the frame of the document before.
  'RenderDocument',
];

/** Arguments that choose the features of Chromium. */
export const FEATURES = [
  `--enable-features=${ENABLED.join(',')}`,
  `--disable-features=${DISABLED.join(',')}`,
];
