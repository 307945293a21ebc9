/** True for keyboards with ⌘ in place of Ctrl. */
const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform);

/** Keys of the command menu, as the keyboard names them. */
export const COMMAND_MENU_KEYS = IS_APPLE ? '⌘ K' : 'Ctrl K';

// Only in Chromium: https://wicg.github.io/savedata/
const { connection } = navigator as { connection?: { saveData?: boolean } };

/** True if the user asks the browser to save data. */
export const SAVES_DATA = connection?.saveData === true;
