/* Mantine's overlays with their positioning code, which load after the page. */
export { Drawer, Menu, Modal, Popover } from '@mantine/core';
