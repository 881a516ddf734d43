/* The parts of the component kit that open over the page, with what they need to find their place: fetched after the page. */
export { Drawer, Menu, Modal, Popover } from '@mantine/core';
