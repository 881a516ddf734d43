import { openPictures, type Pictures } from '../../server/platform/images/images.ts';
import { PATIENT } from './patience.ts';

/** Opens pictures that may take long, for tests that aren't about time. */
export const openPatientPictures = (limits: Parameters<typeof openPictures>[0] = {}): Pictures =>
  openPictures({ time: PATIENT.timeout, patience: PATIENT.timeout, waitTimeout: PATIENT.timeout, ...limits });
