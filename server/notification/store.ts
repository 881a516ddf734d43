/* Access to this module's tables for other modules, the seed and tests. */

export { purge as purgeEscalations } from './alerts/escalation-store.ts';
export { add as addNotifications, purge as purgeNotifications } from './inbox/inbox-store.ts';
export { queueHealth } from './mail/delivery-list-store.ts';
export { insert as addDelivery, purge as purgeDeliveries } from './mail/delivery-store.ts';
export { save as saveDevice } from './push/device-store.ts';
