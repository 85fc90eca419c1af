// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ChainBlock} from "../src/libraries/ChainBlock.sol";
import {HubTest} from "./support/HubTest.sol";

contract ChainBlockTest is HubTest {
    address private constant ARB_SYS = address(0x64);

    function test_the_number_of_the_block_is_what_the_nodes_say() public {
        vm.assertEq(ChainBlock.number(), block.number, "elsewhere");
        // PUSH4 300000000, and the word is returned.
        vm.etch(ARB_SYS, hex"6311e1a30060005260206000f3");
        vm.chainId(42_161);
        vm.assertEq(ChainBlock.number(), 300_000_000, "Arbitrum One");
        vm.chainId(421_614);
        vm.assertEq(ChainBlock.number(), 300_000_000, "Arbitrum Sepolia");
        vm.chainId(10);
        vm.assertEq(ChainBlock.number(), block.number, "another chain");
    }
}
