import { SETTINGS_PLACES } from './support/places.ts';
import { testPlaces } from './support/walk.ts';

await testPlaces(SETTINGS_PLACES);
