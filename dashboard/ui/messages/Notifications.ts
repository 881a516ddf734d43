/* A separate file, so that Mantine's notifications load after the page. */
export { Notifications } from '@mantine/notifications';
