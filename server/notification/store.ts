/* Access to this module's tables for other modules, the seed and tests. */

export { add as addNotifications, forget as forgetNotifications } from './inbox/inbox-store.ts';
export { queueHealth } from './mail/delivery-list-store.ts';
export { forget as forgetDeliveries, insert as addDelivery } from './mail/delivery-store.ts';
export { save as saveDevice } from './push/device-store.ts';
