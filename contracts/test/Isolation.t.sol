// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HubTest} from "./support/HubTest.sol";

/// @notice Remembers how much gas it was called with.
contract GasMeter {
    uint256 public given;

    fallback() external {
        given = gasleft();
    }
}

contract IsolationTest is HubTest {
    uint256 private constant GAS_CAP = 350_000;

    /// @dev EIP-150 lets a call have 63/64 of what is left, so there is a range of supplies in which
    ///      the call could be made but with less gas than the cap.
    function test_a_call_is_given_its_whole_cap_or_is_not_made() public {
        GasMeter meter = new GasMeter();
        IRemitHub.Authorization[] memory items = new IRemitHub.Authorization[](1);
        items[0].from = RECIPIENT;
        bytes memory call = abi.encodeCall(
            hub.settle, (address(meter), items, GAS_CAP, noDistributions(), plenty())
        );
        hub.settle(address(meter), items, GAS_CAP, noDistributions(), plenty());
        uint256 whole = meter.given();
        uint256 refused;
        uint256 made;
        for (uint256 supply = GAS_CAP; supply < GAS_CAP + 40_000; supply += 100) {
            (bool ok, bytes memory reason) = address(hub).call{gas: supply}(call);
            if (ok) {
                ++made;
                vm.assertEq(meter.given(), whole, "less than the cap");
            } else {
                ++refused;
                vm.assertEq(
                    bytes32(bytes4(reason)), IHubErrors.ItemGasTooLow.selector, "another reason"
                );
            }
        }
        vm.assertTrue(refused > 0 && made > 0, "both must come about");
    }
}
