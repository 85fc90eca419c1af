// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Scene} from "./Scene.sol";

/// @notice Invariants of all money after any operations. The checks of single operations are with
///         the operations.
abstract contract Checks is Scene {
    /// @dev After every call.
    function checkNobodyElseHolds() external view {
        vm.assertEq(usdc.balanceOf(STRANGER) + usdt.balanceOf(STRANGER), 0, "stranger");
        vm.assertEq(STRANGER.balance, 0, "stranger's native coin");
        vm.assertEq(usdc.balanceOf(address(hub)), 0, "hub, usdc");
        vm.assertEq(usdt.balanceOf(address(hub)), 0, "hub, usdt");
        vm.assertEq(address(hub).balance, 0, "hub, native coin");
    }

    /// @dev After every run: what is broken here stays broken.
    function checkAll() external view {
        conserved(address(usdc), usdc.totalSupply());
        conserved(address(usdt), usdt.totalSupply());
        conserved(NATIVE, nativePaid);
        for (uint256 i; i < deposits.length; ++i) {
            checkFeesOf(deposits[i]);
            checkClone(deposits[i]);
        }
        for (uint256 m; m < MERCHANTS; ++m) {
            checkFeeHeld(forwarders[m], address(usdc));
            checkFeeHeld(forwarders[m], address(usdt));
            checkClone(forwarders[m]);
        }
    }

    function conserved(address token, uint256 paid) private view {
        uint256 sum;
        for (uint256 i; i < holders.length; ++i) {
            sum += balance(token, holders[i]);
        }
        vm.assertEq(sum, paid, "every unit is accounted for");
    }

    function checkClone(address account) private view {
        if (account.code.length == 0) return;
        bytes memory expected = abi.encodePacked(
            hex"3d3d3d3d363d3d37363d73",
            hub.forwarderImplementation(),
            hex"5af43d3d93803e602a57fd5bf3"
        );
        vm.assertEq(account.code, expected, "the clone's code");
    }
}
