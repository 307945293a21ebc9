const SLOWEST = 10;

/** Ends a test run with the slowest files, and one line for people and machines: the numbers of passed and failed tests. */
export default class ClosingLineReporter {
  /**
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<unknown>} errors
   */
  onTestRunEnd(modules, errors) {
    let [passed, failed] = [0, errors.length];
    for (const module of modules) {
      // A file that cannot be loaded reports no test: it counts as one failure.
      if (module.state() === 'failed' && module.errors().length > 0) failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed++;
        if (state === 'failed') failed++;
      }
    }
    const slowest = modules
      .map((module) => ({ file: module.relativeModuleId, ms: tookMs(module) }))
      .toSorted((left, right) => right.ms - left.ms)
      .slice(0, SLOWEST)
      .map(({ file, ms }) => `${file} ${(ms / 1000).toFixed(1)} s`);
    process.on('exit', () => {
      if (modules.length > SLOWEST) console.log(`The ${SLOWEST} slowest files: ${slowest.join(', ')}`);
      console.log(`${passed} passed, ${failed} failed`);
    });
  }
}

/** @param {import('vitest/node').TestModule} module */
function tookMs(module) {
  const { collectDuration, duration, setupDuration } = module.diagnostic();
  return setupDuration + collectDuration + duration;
}
