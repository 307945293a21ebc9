import { MONITORING_PLACES } from './support/places.ts';
import { testPlaces } from './support/walk.ts';

await testPlaces(MONITORING_PLACES);
