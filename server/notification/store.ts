/* What other modules, the seed and tests ask of this module's tables. */

export { add as addNotifications, forget as forgetNotifications } from './inbox/inbox-store.ts';
export { queueHealth } from './mail/delivery-list-store.ts';
export { forget as forgetDeliveries, insert as addDelivery } from './mail/delivery-store.ts';
export { save as saveDevice } from './push/device-store.ts';
