/** Apple's keyboards say ⌘ where others say Ctrl. */
const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys of the command menu, as the keyboard names them. */
export const COMMAND_MENU_KEYS = IS_APPLE ? '⌘ K' : 'Ctrl K';

/** Chromium's alone; https://wicg.github.io/savedata/ */
const { connection } = navigator as { connection?: { saveData?: boolean } };

/** The user asks the browser to transfer little. */
export const SAVES_DATA = connection?.saveData === true;
