/* A file of its own, so that the kit's notifications can be loaded after the page. */
export { Notifications } from '@mantine/notifications';
